"""What a table says of a row beside its values, as if it were a tuple of pairs."""

from affinecal_gui.study.row_details import RowDetails

COLUMNS = {"source": ("NIST", "", "CROW"), "remark": ("dry", "", "")}


def test_pairs_are_those_with_a_text_in_the_order_of_the_file() -> None:
    first, second, third = (RowDetails(COLUMNS, row) for row in range(3))
    assert list(first) == [("source", "NIST"), ("remark", "dry")]
    assert (len(first), len(second), len(third)) == (2, 0, 1)
    assert first[1] == ("remark", "dry")
    assert first[:1] == (("source", "NIST"),)
    assert not second
    assert ("source", "CROW") in third


def test_they_are_equal_to_the_same_pairs() -> None:
    third = RowDetails(COLUMNS, 2)
    assert third == (("source", "CROW"),) == third
    assert third == RowDetails({"source": ("CROW",)}, 0)
    assert third != RowDetails(COLUMNS, 0)
    assert hash(third) == hash((("source", "CROW"),))
    assert repr(third) == "(('source', 'CROW'),)"
