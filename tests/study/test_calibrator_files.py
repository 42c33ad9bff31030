"""Calibrator files: what they give back, what is in them, and which are refused."""

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.calibration.sharing.coefficients_only import CoefficientsOnly
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.errors import UserError
from affinecal_gui.files import FileExists
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.description import FORMAT_VERSION
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.stored.study_file import open_study, save_study
from tests.study.damage import Content, edited, members, pack
from tests.study.small_study import small_state

LINEAR = ("md", "ordinary", "log_difference", "affine", "combined")


@pytest.fixture(scope="module")
def study() -> Derived:
    return derive(small_state(), Derived())


@pytest.fixture(scope="module")
def folder(study: Derived, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a file of every linear calibrator in both grades."""
    made = tmp_path_factory.mktemp("calibrators")
    for model in LINEAR:
        save_calibrator_file(made / f"{model}.affinecal-model", calibrator_file_of(study, model, "open"))
        save_calibrator_file(made / f"{model}-closed.affinecal-model", calibrator_file_of(study, model, "closed"))
    return made


def library_of(study: Derived) -> tuple[np.ndarray, np.ndarray]:
    calibration, described = study.snapshot.calibration, study.descriptors
    assert calibration is not None
    assert isinstance(described, DescribedLibrary)
    return calibration.library_md, described.values


@pytest.mark.parametrize("model", LINEAR)
def test_an_open_calibrator_says_what_its_study_says(study: Derived, folder: Path, model: str) -> None:
    agrees(study, folder / f"{model}.affinecal-model", model)


def agrees(study: Derived, path: Path, model: str) -> None:
    """Fail unless a file gives the values and intervals of its study."""
    calibration = study.snapshot.calibration
    assert calibration is not None
    expected, validity = calibration.models[model], calibration.validity
    found = open_calibrator(path).calibrator.apply(*library_of(study))
    for own, other in (
        (found.values, expected.library),
        (found.lower, expected.library_lower),
        (found.upper, expected.library_upper),
    ):
        np.testing.assert_allclose(own, other, rtol=1e-12, equal_nan=True)
    assert np.isfinite(found.values).sum() >= 9
    assert found.inside.tolist() == validity.inside.tolist()
    assert found.md_inside.tolist() == validity.md_inside.tolist()


@pytest.mark.parametrize("model", ["ordinary", "affine", "combined"])
def test_a_file_from_when_penalties_were_chosen_with_caution_says_what_it_said(
    study: Derived, folder: Path, tmp_path: Path, model: str
) -> None:
    """Its penalties were too large for a prior with so few polymers: intervals far from them take n / 60 of them."""
    now = open_calibrator(folder / f"{model}.affinecal-model").calibrator
    content = members(folder / f"{model}.affinecal-model")
    edited("training.json", lambda plain: {key: told for key, told in plain.items() if key != "cautious_prior"})(
        content
    )
    edited("manifest.json", lambda plain: plain.update(version=3))(content)
    earlier = open_calibrator(pack(tmp_path / "earlier.affinecal-model", summed(content))).calibrator
    assert isinstance(now, TrainedCalibrator)
    as_then = replace(now, options=replace(now.options, cautious_prior=True)).apply(*library_of(study))
    found, without = earlier.apply(*library_of(study)), now.apply(*library_of(study))
    np.testing.assert_array_equal(found.values, without.values)
    np.testing.assert_array_equal(found.upper, as_then.upper)
    assert not np.allclose(found.upper, without.upper, equal_nan=True)


def test_a_calibrator_of_a_robust_study_says_what_its_study_says(tmp_path: Path) -> None:
    state = small_state()
    study = derive(replace(state, settings=replace(state.settings, robust=True)), Derived())
    path = tmp_path / "robust.affinecal-model"
    save_calibrator_file(path, calibrator_file_of(study, "combined", "open"))
    agrees(study, path, "combined")
    assert "robust" in open_calibrator(path).facts.protocol
    content = members(path)
    numbers("weights of a robust fit", filled(-1.0))(content)
    assert "a weight of the robust fit is not positive" in refused(
        pack(tmp_path / "wrong.affinecal-model", summed(content))
    )


@pytest.mark.parametrize("model", LINEAR)
def test_a_closed_calibrator_has_the_values_of_its_study(study: Derived, folder: Path, model: str) -> None:
    calibration = study.snapshot.calibration
    assert calibration is not None
    opened = open_calibrator(folder / f"{model}-closed.affinecal-model")
    found = opened.calibrator.apply(*library_of(study))
    both = np.isfinite(found.values) & np.isfinite(calibration.models[model].library)
    assert both.sum() >= 9
    np.testing.assert_allclose(found.values[both], calibration.models[model].library[both], rtol=1e-12)
    assert (found.lower[both] <= found.values[both]).all()
    assert (found.values[both] <= found.upper[both]).all()


def test_one_polymer_at_a_time_has_the_values_of_all_together(study: Derived, folder: Path) -> None:
    md, descriptors = library_of(study)
    for name in ("combined", "combined-closed"):
        calibrator = open_calibrator(folder / f"{name}.affinecal-model").calibrator
        together = calibrator.apply(md, descriptors)
        alone = [calibrator.apply(md[row : row + 1], descriptors[row : row + 1]) for row in range(len(md))]
        np.testing.assert_allclose([one.upper[0] for one in alone], together.upper, rtol=1e-12, equal_nan=True)
        assert [bool(one.inside[0]) for one in alone] == together.inside.tolist()


def test_what_cannot_be_calculated_with_has_no_value(study: Derived, folder: Path) -> None:
    md, descriptors = library_of(study)
    odd = np.array([np.nan, -1.0, 0.0, np.inf, 1e-200, float(md[0]), float(md[0])])
    table = np.repeat(descriptors[:1], len(odd), axis=0)
    table[5] = np.nan
    for name in ("affine", "affine-closed"):
        found = open_calibrator(folder / f"{name}.affinecal-model").calibrator.apply(odd, table)
        assert found.usable.tolist() == [False] * 6 + [True]
        assert np.isnan(found.values).tolist() == [True] * 6 + [False]


def test_the_grades_hold_what_they_say(study: Derived, folder: Path) -> None:
    opened = open_calibrator(folder / "affine.affinecal-model")
    assert isinstance(opened.calibrator, TrainedCalibrator)
    assert opened.training is not None
    assert "*CC(*)c1ccccc1" in opened.training.smiles
    assert 1210.0 in opened.calibrator.training.measured.tolist()
    closed = open_calibrator(folder / "affine-closed.affinecal-model")
    assert isinstance(closed.calibrator, CoefficientsOnly)
    assert closed.training is None
    text = b"".join(members(folder / "affine-closed.affinecal-model").values())
    for row in study.snapshot.rows:
        for secret in (row.name, row.smiles, row.id):
            assert len(secret) < 4 or secret.encode() not in text, secret
        assert np.isnan(row.measured) or struct.pack("<d", row.measured) not in text


def test_the_model_card_says_what_it_is_and_how_good(folder: Path) -> None:
    card = open_calibrator(folder / "affine.affinecal-model").card
    for words in (
        "# Affine calibrator of specific heat capacity",
        "measured.csv",
        "RMSE",
        "% intervals hold",
        "must not be used",
    ):
        assert words in card
    assert "coefficients only" in open_calibrator(folder / "affine-closed.affinecal-model").card


def test_a_file_that_is_there_is_not_replaced_unasked(study: Derived, folder: Path) -> None:
    path, one = folder / "md.affinecal-model", calibrator_file_of(study, "md", "open")
    before = path.read_bytes()
    with pytest.raises(FileExists):
        save_calibrator_file(path, one)
    assert path.read_bytes() == before


# -- files that are refused ---------------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    """Return the sentence with which a file is refused."""
    with pytest.raises(UserError) as caught:
        open_calibrator(path)
    sentence = str(caught.value)
    assert path.name in sentence
    assert "\n" not in sentence
    assert len(sentence) < 400
    return sentence


def summed(content: Content) -> Content:
    """Return the content with checksums that fit it, as somebody would make them who wants to do harm."""
    sums = {
        name: hashlib.sha256(data).hexdigest()
        for name, data in content.items()
        if name not in ("checksums.json", "mimetype")
    }
    return content | {"checksums.json": json.dumps(sums).encode()}


Change = Callable[[Content], None]


def put(name: str, data: bytes) -> Change:
    return lambda content: content.update({name: data})


def dropped(name: str) -> Change:
    def change(content: Content) -> None:
        del content[name]

    return change


def numbers(name: str, change: Callable[[np.ndarray], None]) -> Change:
    """Return a change of an array."""

    def apply(content: Content) -> None:
        values = np.frombuffer(content[f"numbers/{name}.f64"], dtype="<f8").copy()
        change(values)
        content[f"numbers/{name}.f64"] = values.tobytes()

    return apply


def filled(value: float) -> Callable[[np.ndarray], None]:
    return lambda values: values.fill(value)


DAMAGED: dict[str, tuple[Change, str]] = {
    "newer version": (edited("manifest.json", lambda plain: {**plain, "version": FORMAT_VERSION + 1}), "newer version"),
    "no version": (edited("manifest.json", lambda plain: {**plain, "version": True}), "not a calibrator"),
    "another format": (edited("manifest.json", lambda plain: {**plain, "format": "else"}), "not a calibrator"),
    "unknown grade": (edited("manifest.json", lambda plain: {**plain, "grade": "secret"}), "grade"),
    "no surrogate": (
        edited("manifest.json", lambda plain: {**plain, "has_surrogate": True}),
        "surrogate.json is not what manifest.json says of it",
    ),
    "no manifest": (dropped("manifest.json"), "zip file of something else"),
    "no facts": (dropped("calibrator.json"), "calibrator.json is missing"),
    "no training": (dropped("training.json"), "training.json is missing"),
    "no card": (dropped("MODEL_CARD.md"), "MODEL_CARD.md is missing"),
    "no shapes": (dropped("numbers.json"), "numbers.json is missing"),
    "no numbers": (dropped("numbers/md.f64"), "numbers/md.f64 is missing"),
    "other force field": (
        edited("calibrator.json", lambda plain: plain["descriptors"].update(tables="0" * 64)),
        "other tables of the force field GAFF2_mod",
    ),
    "unknown calibrator": (edited("calibrator.json", lambda plain: plain.update(model="magic")), "model is not one of"),
    "kernels": (edited("calibrator.json", lambda plain: plain.update(model="htl_offset")), "none that has a file"),
    "given values": (
        edited("calibrator.json", lambda plain: plain.update(model="quantum_corrected")),
        "none that has a file",
    ),
    "level": (edited("calibrator.json", lambda plain: plain.update(level=1.5)), "level"),
    "polymers": (edited("calibrator.json", lambda plain: plain.update(polymers=3)), "does not name every polymer"),
    "text for a number": (edited("calibrator.json", lambda plain: plain.update(level="0.9")), "no number"),
    "two names": (
        edited("calibrator.json", lambda plain: plain["descriptors"].update(names=["mass_H"] * 190)),
        "the same name",
    ),
    "block": (edited("training.json", lambda plain: plain.update(blocks_off=[12])), "block"),
    "factor": (edited("training.json", lambda plain: plain.update(block_factors=[[0, -1.0]])), "factors"),
    "nested JSON": (put("calibrator.json", b"[" * 100_000), "calibrator.json"),
    "NaN in JSON": (put("calibrator.json", b'{"level": NaN}'), "calibrator.json"),
    "half an array": (put("numbers/md.f64", b"1234"), "shorter"),
    "shape": (edited("numbers.json", lambda plain: plain["shapes"].update(md=[10**9])), "size"),
    "negative shape": (edited("numbers.json", lambda plain: plain["shapes"].update(folds=[-1, 10])), ""),
    "infinite": (numbers("measured", filled(np.inf)), "no number"),
    "nan": (numbers("descriptors", filled(np.nan)), "no number"),
    "negative value under a logarithm": (numbers("measured", filled(-3.0)), "not positive"),
    "fold": (numbers("folds", filled(0.0)), "folds"),
    "half a fold": (numbers("folds", filled(0.5)), "folds"),
    "constants": (numbers("affine, constants", filled(0.0)), "constants of affine"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_file_that_was_tampered_with_is_refused_in_a_sentence(folder: Path, tmp_path: Path, damage: str) -> None:
    change, words = DAMAGED[damage]
    content = members(folder / "affine.affinecal-model")
    change(content)
    assert words in refused(pack(tmp_path / "bad.affinecal-model", summed(content)))


CLOSED_DAMAGE: dict[str, tuple[Change, str]] = {
    "no coefficients": (dropped("coefficients.json"), "coefficients.json is missing"),
    "no equation": (edited("coefficients.json", lambda plain: plain.update(forms=[])), "no equation"),
    "missing number": (edited("coefficients.json", lambda plain: plain.update(md_centre=None)), "lacks a number"),
    "no unit": (edited("coefficients.json", lambda plain: plain.update(md_unit=0.0)), "cannot be right"),
    "unit": (numbers("unit", filled(-1.0)), "not positive"),
    "scores": (numbers("scores", filled(-1.0)), "scores"),
    "used": (numbers("used", filled(7.0)), "used"),
}


@pytest.mark.parametrize("damage", CLOSED_DAMAGE)
def test_a_closed_file_that_was_tampered_with_is_refused_in_a_sentence(
    folder: Path, tmp_path: Path, damage: str
) -> None:
    change, words = CLOSED_DAMAGE[damage]
    content = members(folder / "affine-closed.affinecal-model")
    change(content)
    assert words in refused(pack(tmp_path / "bad.affinecal-model", summed(content)))


@pytest.mark.parametrize("name", ["calibrator.json", "MODEL_CARD.md", "numbers/md.f64", "training.json"])
def test_a_part_that_is_not_as_it_was_saved_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    content = members(folder / "affine.affinecal-model")
    content[name] = content[name][:-1] + bytes([content[name][-1] ^ 1])
    assert "checksum" in refused(pack(tmp_path / "bad.affinecal-model", content))


def test_a_part_too_many_is_refused(folder: Path, tmp_path: Path) -> None:
    content = members(folder / "affine.affinecal-model") | {"extra.json": b"{}"}
    assert "extra.json" in refused(pack(tmp_path / "bad.affinecal-model", content))


def test_what_is_no_zip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.affinecal-model"
    path.write_bytes(b"\x80\x04pickled?" * 100)
    assert "not a calibrator" in refused(path)
    path.write_bytes(b"")
    refused(path)
    path.unlink()
    assert "is not there" in refused(path)
    path.mkdir()
    assert "folder" in refused(path)


def test_a_file_that_was_cut_off_is_refused_wherever_it_ends(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "ordinary.affinecal-model").read_bytes()
    path = tmp_path / "bad.affinecal-model"
    for share in np.linspace(0.01, 0.99, 15):
        path.write_bytes(whole[: int(share * len(whole))])
        refused(path)


@pytest.mark.parametrize("name", ["../evil.json", "/etc/evil.json", "C:\\evil.json", "numbers/../../evil"])
def test_a_name_that_leads_elsewhere_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    content = members(folder / "affine.affinecal-model") | {name: b"x"}
    assert "not safe to open" in refused(pack(tmp_path / "bad.affinecal-model", summed(content)))


def test_a_part_that_would_expand_without_end_is_refused(folder: Path, tmp_path: Path) -> None:
    content = members(folder / "affine.affinecal-model") | {"numbers/bomb.f64": bytes(64 << 20)}
    assert "not safe to open" in refused(pack(tmp_path / "bad.affinecal-model", content))


def test_a_study_is_not_taken_for_a_calibrator(study: Derived, tmp_path: Path) -> None:
    path = tmp_path / "study.affinecal"
    save_study(path, study.state, study)
    assert "is a study, not a calibrator" in refused(path)


def test_a_calibrator_is_not_taken_for_a_study(folder: Path) -> None:
    with pytest.raises(UserError, match="is a calibrator, not a study"):
        open_study(folder / "affine.affinecal-model")


def test_another_zip_file_is_not_taken_for_a_calibrator(tmp_path: Path) -> None:
    path = tmp_path / "book.affinecal-model"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    path.write_bytes(buffer.getvalue())
    assert "zip file of something else" in refused(path)


def test_markup_in_words_stays_text(folder: Path, tmp_path: Path) -> None:
    content = members(folder / "affine.affinecal-model")
    edited("calibrator.json", lambda plain: plain.update(advice="<img src=x>"))(content)
    content["MODEL_CARD.md"] += b"<script>"
    opened = open_calibrator(pack(tmp_path / "odd.affinecal-model", summed(content)))
    assert "<img" not in opened.facts.advice
    assert "<script" not in opened.card
