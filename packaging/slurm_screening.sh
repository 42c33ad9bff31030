#!/bin/sh
# Screens a library on a real Slurm of one node, two of its eight jobs killed on the way, and compares with local processes.
#
#   sudo packaging/slurm_screening.sh LIBRARY.csv NAME.affinecal-model [PYTHON]
#
# Needs Debian's packages slurm-wlm and munge, and a Python with affinecal[cluster]. For a machine that is thrown away: it writes
# /etc/slurm/slurm.conf and starts munge and Slurm, which go on running afterwards.
set -eu
library=$1 calibrator=$2 python=${3:-python3}
work=$(mktemp -d)
node=$(hostname -s)

mkdir -p /run/munge /etc/slurm /var/spool/slurmd /var/spool/slurmctld /var/log/slurm
chown munge: /run/munge
[ -s /etc/munge/munge.key ] || /usr/sbin/mungekey --create
chown munge: /etc/munge/munge.key
pgrep -x munged >/dev/null || su -s /bin/sh munge -c "/usr/sbin/munged --force"
cat >/etc/slurm/slurm.conf <<CONF
ClusterName=affinecal
SlurmctldHost=$node
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$node CPUs=8 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
SlurmdParameters=config_overrides
CONF
pgrep -x slurmctld >/dev/null || slurmctld
pgrep -x slurmd >/dev/null || slurmd
until sinfo -h -o %t 2>/dev/null | grep -q idle; do sleep 1; done

"$python" -m affinecal_gui screen "$library" --calibrator "$calibrator" --output "$work/slurm" --quiet \
    --slurm "workers=8 cores=1 memory=1GB walltime=01:00:00 queue=main python=$python log_directory=$work/logs" &
command=$!
# When the first partitions are there, two jobs that run are killed.
until ls "$work"/slurm/rows/part-*.parquet >/dev/null 2>&1; do sleep 1; kill -0 $command; done
squeue -h -t R -o %i | head -n 2 | while read -r job; do
    echo "killing job $job"
    scancel --signal=KILL --full "$job"
done
wait $command
"$python" -m affinecal_gui screen "$library" --calibrator "$calibrator" --output "$work/local" --quiet --jobs 2
diff -r --exclude=.affinecal-lock "$work/slurm" "$work/local"
echo "The same bytes: $(find "$work/slurm/rows" -name "part-*" | wc -l) partitions, two of eight jobs killed."
rm -r "$work"
