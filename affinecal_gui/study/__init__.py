"""The application: one study, its commands with undo, and the services that run anywhere. No Qt.

``state`` is what determines a study, ``snapshot`` what is shown of it, ``derive`` goes from one to the other, ``study`` keeps
the steps of undo. The folders, from below:

* ``records``: the members of a study file as records, CSV and zip; file locks.
* ``importing``: files -> tables with chosen columns, several tables as one, doubts about units.
* ``data``: the tables of a study put together, with the descriptors that tables bring along.
* ``describing``: descriptors of many polymers, in a worker pool and with a cache.
* ``fitting``: calibration of what was put together, its weights and choices.
* ``shown``: what is shown of one polymer, one row, one match.
* ``asking``: what is said of a polymer that somebody types or pastes.
* ``words``: results in words.
* ``stored``: the study file and everything else that is kept on disk.
* ``results``: tables, workbook, figures and report of a finished calibration.
"""
