"""What a command advises can be done with the options that it has."""

import argparse
from pathlib import Path

import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.commands.own_options import in_own_options
from affinecal_gui.tables.advice import USE_ALL_THE_SAME

TWO_TABLES = "name,smiles,,name,density\nA,*CC*,,B,1.1\nB,*CCO*,,A,1.2\nC,*CC(*)C,,D,1.3\n"


@pytest.mark.parametrize(
    ("command", "advised"),
    [
        (["describe", "two.csv", "--output", "out.csv"], "--smiles-column"),
        (["fit", "--experiment", "two.csv", "--md", "two.csv", "--output", "out"], "--value-column or --md-column"),
    ],
)
def test_a_command_advises_its_own_options(
    command: list[str],
    advised: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.csv").write_text(TWO_TABLES, encoding="utf-8")
    assert main(command) == 2
    said = capsys.readouterr().err
    assert advised in said
    with pytest.raises(SystemExit):
        main([command[0], "--help"])
    helped = capsys.readouterr().out
    named = {word.strip(".,;") for word in said.split() if word.startswith("--")}
    assert all(option in helped for option in named)


def test_an_option_that_a_command_has_not_goes_with_its_value() -> None:
    sentence = f"It is used all the same with {USE_ALL_THE_SAME.format('not-equilibrated')}."
    assert in_own_options(sentence, argparse.Namespace()) == "It is used all the same with Review… in the window."
    assert in_own_options(sentence, argparse.Namespace(use_flagged=None)) == sentence
