# ruff: noqa: E501 - lines of tables are as long as they are
"""Write the awkward files of this folder: what chemists, instruments and spreadsheets hand over, in small.

All numbers are made up around well-known values of common polymers. Run ``python tests/data/tables/make_files.py`` after a
change here; ``expected.csv`` says what has to become of each file. Three files are not made here: ``locked.xlsx`` is
``plain.xlsx`` encrypted by msoffcrypto-tool 6.1 with the password "secret", ``plain.parquet``
was written by pyarrow 26.0, ``plain.xls`` by xlwt 1.3.
"""

import datetime
import gzip
import io
import json
import zipfile
from pathlib import Path

import openpyxl
from openpyxl.styles import Font
from rdkit import Chem

FOLDER = Path(__file__).parent

PE, PS, PP, PVC, PMMA = "*CC*", "*CC(*)c1ccccc1", "*CC(*)C", "*CC(*)Cl", "*CC(*)(C)C(=O)OC"
ROWS = [
    ("polyethylene", PE, 2300),
    ("polystyrene", PS, 1250),
    ("polypropylene", PP, 1930),
    ("poly(vinyl chloride)", PVC, 950),
    ("poly(methyl methacrylate)", PMMA, 1420),
]


def table(
    header: str = "name,smiles,Cp [J/(kg K)]",
    delimiter: str = ",",
    *,
    scale: float = 1.0,
    decimal: str = ".",
    digits: int = 0,
    end: str = "\n",
) -> str:
    """Return the five rows as text."""
    lines = [header.replace(",", delimiter)]
    for name, smiles, value in ROWS:
        number = f"{value * scale:.{digits}f}".replace(".", decimal)
        if delimiter == "," and decimal == ",":
            number = f'"{number}"'
        lines.append(delimiter.join((name, smiles, number)))
    return end.join(lines) + end


def text_files() -> dict[str, bytes]:
    """Return the text files by name."""
    plain = table()
    german = "Polymer;Wiederholeinheit;cp [J/(g K)]\n" + "".join(
        f"{name};{smiles};{value / 1000:.3f}\n".replace(".", ",") for name, smiles, value in ROWS
    )
    japanese = "ポリマー,繰り返し単位,比熱 [J/(g K)]\n" + "".join(
        f"{name},{smiles},{value / 1000}\n"
        for name, (_, smiles, value) in zip(
            ("ポリエチレン", "ポリスチレン", "ポリプロピレン", "ポリ塩化ビニル", "アクリル樹脂"), ROWS, strict=True
        )
    )
    chinese = "聚合物,重复单元,密度 [g/cm3]\n聚乙烯,*CC*,0.95\n聚苯乙烯,*CC(*)c1ccccc1,1.05\n聚丙烯,*CC(*)C,0.90\n"
    files: dict[str, str | bytes] = {
        "plain.csv": plain,
        "byte_order_mark.csv": b"\xef\xbb\xbf" + plain.encode(),
        "utf16.csv": plain.encode("utf-16"),
        "utf16_without_mark.tsv": table(delimiter="\t").encode("utf-16-le"),
        "windows_line_ends.csv": table(end="\r\n"),
        "old_mac_line_ends.csv": table(end="\r"),
        "mixed_line_ends.csv": plain.replace("\n", "\r\n", 2).replace("950\n", "950\r"),
        "tabs.tsv": table(delimiter="\t"),
        "tabs_named_csv.csv": table(delimiter="\t"),
        "bars.txt": table(delimiter="|"),
        "aligned_blanks.txt": "id      smiles               Cp\nPE      *CC*                 2300\nPS      *CC(*)c1ccccc1       1250\n"
        "PP      *CC(*)C              1930\nPVC     *CC(*)Cl             950\n",
        "only_smiles.csv": "smiles\n*CC*\n*CC(*)C\n*CC(*)c1ccccc1\n",
        "only_smiles_no_heading.txt": "*CC*\n*CC(*)C\n*CC(*)c1ccccc1\n",
        "names_after_smiles.smi": "*CC* polyethylene\n*CC(*)C polypropylene\n*CC(*)c1ccccc1 polystyrene\n",
        "no_heading.csv": "".join(f"{name},{smiles},{value}\n" for name, smiles, value in ROWS),
        "german_windows_1252.csv": german.replace("Polymer;", "Stoff (gemäß Prüfung);").encode("cp1252"),
        "german_utf8.csv": german,
        "degree_sign_1252.csv": "name,smiles,Tg (°C)\npolystyrene,*CC(*)c1ccccc1,100\nPMMA,*CC(*)(C)C(=O)OC,105\n"
        "PVC,*CC(*)Cl,80\n".encode("cp1252"),
        "japanese_cp932.csv": japanese.encode("cp932"),
        "japanese_utf8.csv": japanese,
        "chinese_gb18030.csv": chinese.encode("gb18030"),
        "one_bad_byte.csv": ("# gemäß\n" * 3 + plain).encode() + b"poly\xffamide 6,*NCCCCCC(*)=O,1600\n",
        "decimal_comma_in_quotes.csv": table(scale=0.001, decimal=",", digits=2, header="name,smiles,Cp [J/(g K)]"),
        "decimal_comma_without_quotes.csv": "name,smiles,Cp\n"
        + "".join(f"{name},{smiles},{value // 1000},{value % 1000:03d}\n" for name, smiles, value in ROWS),
        "point_or_thousands.csv": "name;smiles;Cp [J/(kg K)]\nPE;*CC*;2,300\nPS;*CC(*)c1ccccc1;1,250\nPP;*CC(*)C;1,930\n",
        "comma_and_point_mixed.csv": "name;smiles;density [g/cm3]\nPE;*CC*;0,95\nPS;*CC(*)c1ccccc1;1.05\nPP;*CC(*)C;0,90\n"
        "PVC;*CC(*)Cl;1,39\n",
        "thousands_apostrophe.csv": table().replace("2300", "2'300").replace("1250", "1'250"),
        "thousands_narrow_space.csv": table().replace("2300", "2\u202f300"),
        "english_thousands.csv": 'name,smiles,"Cp [J/(kg K)]"\nPE,*CC*,"2,300.5"\nPS,*CC(*)c1ccccc1,"1,250.0"\nPP,*CC(*)C,930.0\n',
        "title_rows.csv": "Heat capacities of our samples\nmeasured by DSC in May\n\n" + plain,
        "instrument_preamble.csv": "Instrument;DSC 214\nOperator;M. Muster\nDate;2024-05-03\nPan mass;10.52 mg\n\n"
        + german,
        "comment_lines.csv": "# specific heat, literature\n# units: SI\n" + plain + "# end of file\n",
        "commented_heading.csv": "#name,smiles,Cp [J/(kg K)]\n" + plain.split("\n", 1)[1],
        "units_in_second_row.csv": "name,smiles,Cp,T\n,,J/(g K),°C\n"
        + "".join(f"{name},{smiles},{value / 1000},25\n" for name, smiles, value in ROWS),
        "merged_headings.csv": "Polymer,,Density [g/cm3],\nname,smiles,exp,MD\n"
        "PE,*CC*,0.95,0.84\nPS,*CC(*)c1ccccc1,1.05,1.00\nPP,*CC(*)C,0.90,0.84\n",
        "repeated_heading_names.csv": "name,smiles,Cp,Cp\nPE,*CC*,2300,2310\nPS,*CC(*)c1ccccc1,1250,1240\n",
        "heading_again_in_the_middle.csv": plain + "\n" + plain.replace("poly", "Poly"),
        "blank_lines.csv": plain.replace("\n", "\n\n"),
        "trailing_delimiters.csv": "".join(line + ",,\n" for line in plain.splitlines()),
        "trailing_delimiter_in_rows.csv": plain.replace("\n", ",\n").replace("K)],\n", "K)]\n", 1),
        "one_row_too_long.csv": plain + "nylon 6,*NCCCCCC(*)=O,1600,dry,5\n",
        "one_row_too_short.csv": plain + "nylon 6,*NCCCCCC(*)=O\n",
        "totals_at_the_end.csv": plain + "Mean,,1570\n",
        "names_with_commas.csv": 'name,smiles,Cp\n"cis-1,4-polybutadiene",*CC=CC*,1900\n"poly(oxy-1,4-phenylene)",*Oc1ccc(*)cc1,1200\n',
        "line_end_in_a_cell.csv": 'name,smiles,Cp,remark\n"poly\nethylene",*CC*,2300,"two\nlines"\nPS,*CC(*)c1ccccc1,1250,\n',
        "stray_quotation_mark.csv": 'name,smiles,Cp\n"polyethylene,*CC*,2300\nPS,*CC(*)c1ccccc1,1250\n5" pipe PVC,*CC(*)Cl,950\n',
        "nul_bytes.csv": plain.replace("polystyrene", "poly\x00styrene"),
        "missing_words.csv": "name,smiles,Cp\nNA,*CC*,2300\nPS,*CC(*)c1ccccc1,n.d.\nPP,*CC(*)C,-\nPVC,*CC(*)Cl,未測定\nPMMA,*CC(*)(C)C(=O)OC,1420\n",
        "uncertain_values.csv": "name,smiles,Cp [J/(g K)]\nPE,*CC*,2.1-2.5\nPS,*CC(*)c1ccccc1,1.25 ± 0.05\nPP,*CC(*)C,~1.9\n"
        "PVC,*CC(*)Cl,0.95(2)\nPMMA,*CC(*)(C)C(=O)OC,1.42 b)\nPET,*OCCOC(=O)c1ccc(cc1)C(*)=O,<1.5\n",
        "footnote_letters.csv": "name,smiles,molar Cp [J/(mol K)]\nPE,*CC*,64(r)\nPS,*CC(*)c1ccccc1,128(s)\nPP,*CC(*)C,91*\n",
        "typographic_minus.csv": "name,smiles,Tg [°C]\nPE,*CC*,−120\nPP,*CC(*)C,–10\nPS,*CC(*)c1ccccc1,100\n",
        "full_width_digits.csv": "name,smiles,Cp\nPE,*CC*,２３００\nPS,*CC(*)c1ccccc1,１２５０\nPP,*CC(*)C,１９３０\n",
        "full_width_stars.csv": "name,smiles,Cp\nPE,＊CC＊,2300\nPS,＊CC(＊)c1ccccc1,1250\n",
        "units_by_row.csv": "name,smiles,Cp,unit\nPE,*CC*,2.3,kJ/(kg K)\nPS,*CC(*)c1ccccc1,0.299,cal/(g °C)\n"
        "PP,*CC(*)C,81.2,J/(mol K)\nPVC,*CC(*)Cl,950,J/(kg K)\nPMMA,*CC(*)(C)C(=O)OC,1.42,furlong\n",
        "celsius.csv": "name,smiles,Tg_C\nPS,*CC(*)c1ccccc1,100\nPVC,*CC(*)Cl,80\nPMMA,*CC(*)(C)C(=O)OC,105\n",
        "kilograms.csv": "name,smiles,density kg/m3\nPE,*CC*,950\nPS,*CC(*)c1ccccc1,1050\nPP,*CC(*)C,900\n",
        "no_unit_but_gram.csv": "name,smiles,Cp\nPE,*CC*,2.3\nPS,*CC(*)c1ccccc1,1.25\nPP,*CC(*)C,1.93\n",
        "ids_that_look_like_numbers.csv": "id,smiles,Cp\n007,*CC*,2300\n1-2,*CC(*)C,1930\n10E5,*CC(*)c1ccccc1,1250\nMAR1,*CC(*)Cl,950\n",
        "bad_repeat_units.csv": plain
        + "one end,*CCF,1200\nno end,CCC,1200\nopen ring,*CC1CC*,1200\nthree ends,*CC(*)C*,1200\n",
        "zero_and_negative.csv": plain + "PET,*OCCOC(=O)c1ccc(cc1)C(*)=O,0\nnylon 6,*NCCCCCC(*)=O,-1600\n",
        "slashes_and_backslashes.csv": "name,smiles,Cp\ntrans,*C/C=C/C*,1900\ncis,*C/C=C\\C*,1950\nnitrile,*CC(*)C#N,1270\n",
        "same_polymer_three_times.csv": "name,smiles,Cp\nPE,*CC*,2300\nPE film,*CCCC*,2200\npolythene,C(*)C*,2000\nPS,*CC(*)c1ccccc1,1250\n",
        "several_properties.csv": "name,smiles,density [g/cm3],Tg [K],refractive index\nPE,*CC*,0.95,195,1.51\nPS,*CC(*)c1ccccc1,1.05,373,1.59\n"
        "PP,*CC(*)C,,263,\n",
        "values_as_formulas.csv": "name,smiles,Cp\n=cmd|'/c calc'!A1,*CC*,2300\n@SUM(1),*CC(*)C,1930\n+PS,*CC(*)c1ccccc1,1250\n",
        "simulation_like.csv": "monomer_ID,smiles,temp,DP,density,density_std,Cp,Cp_std\nPI1,*CC*,300,165,0.838,0.002,4699,140\n"
        "PI2,*C(C*)C,300,110,0.836,0.002,4332,71\n",
        "german_thousands.csv": table("Polymer;Wiederholeinheit;Wärmekapazität cp [J/(kg·K)]", ";")
        .replace(";2300", ";2.300")
        .replace(";1250", ";1.250")
        .replace(";1930", ";1.930")
        .replace(";1420", ";1.420")
        .encode("cp1252"),
        "english_thousands.tsv": table(delimiter="\t").replace("\t2", "\t2,").replace("\t1", "\t1,"),
        "thousands_of_all_kinds.csv": plain.replace(",2300", ',"2,300.0"')
        .replace(",1250", ",1 250")
        .replace(",1930", ",1'930"),
        "unquoted_names.csv": plain + "cis-1,4-polybutadiene,*CC=CC*,1900\npoly(1,3-dioxolane),*CCOCO*,1830\n",
        "two_value_columns.csv": "name,smiles,Cp solid [J/(kg K)],Cp liquid [J/(kg K)]\nPE,*CC*,2300,2600\nPS,*CC(*)c1ccccc1,1250,1700\n",
        "unknown_unit.csv": plain.replace("J/(kg K)", "furlong"),
        "unit_without_conversion.csv": "name,smiles,Oxygen permeability [Barrer]\nPE,*CC*,2.9\nPS,*CC(*)c1ccccc1,2.5\nPP,*CC(*)C,1.5\n",
        "impossible_value.csv": plain + "nylon 6,*NCCCCCC(*)=O,16000000\n",
        "averages_in_three_languages.csv": "id,name,smiles,Cp\nP1,PE,*CC*,2300\nP2,PS,*CC(*)c1ccccc1,1250\nP3,PP,*CC(*)C,1930\n"
        "Average,,,1827\nMittelwert:,,,1827\n,平均,,1827\n",
        "shared_ids.csv": "monomer_ID,smiles,Cp [J/(kg K)]\nPI1,*CC*,2300\nPI2,*CC(*)C,1930\nPI6,*CC(*)Cl,950\n",
        "ranges_of_many_kinds.csv": "name,smiles,Cp [J/(g K)]\nPE,*CC*,2.2 ... 2.4\nPS,*CC(*)c1ccccc1,between 1.2 and 1.3\n"
        "PP,*CC(*)C,1.93 (1.9-1.96)\nPVC,*CC(*)Cl,0.95 ± 0.05 (n=3)\nPMMA,*CC(*)(C)C(=O)OC,1.42?\n",
        "empty.csv": "",
        "only_blank_lines.csv": "\n\n   \n\n",
        "only_headings.csv": "name,smiles,Cp\n",
        "prose.txt": "Dear colleague, please find the heat capacities of our polymers in the attached file.\nKind regards\n",
        "web_page_named.xls": "<html><body><table><tr><td>PE</td><td>2300</td></tr></table></body></html>",
        "no_polymer_column.csv": "operator,date,Cp\nM,2024-05-03,2300\nN,2024-05-04,1250\n",
        "binary.csv": bytes(range(256)) * 8,
        "picture.csv": b"\x89PNG\r\n\x1a\n" + bytes(64),
        "pickle.csv": b"\x80\x04\x95\x0f\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94.",
        "compressed.csv": b"\x1f\x8b\x08\x00" + bytes(32),
    }
    return {name: content.encode() if isinstance(content, str) else content for name, content in files.items()}


def workbook(*sheets: tuple[str, list[list[object]]], hidden: tuple[str, ...] = ()) -> openpyxl.Workbook:
    """Return a workbook with these sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if title in hidden:
            sheet.sheet_state = "hidden"
    return book


def saved(book: openpyxl.Workbook) -> bytes:
    """Return the bytes of a workbook."""
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def open_document(rows: list[list[object]], repeated: str = "") -> bytes:
    """Return the bytes of an ODS workbook."""
    lines = []
    for row in rows:
        cells = "".join(
            f'<table:table-cell office:value-type="float" office:value="{cell}"{repeated}><text:p>{cell}</text:p></table:table-cell>'
            if isinstance(cell, int | float)
            else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in row
        )
        lines.append(f"<table:table-row{repeated.replace('columns', 'rows')}>{cells}</table:table-row>")
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body>'
        f'<office:spreadsheet><table:table table:name="Sheet1">{"".join(lines)}</table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    manifest = (
        '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        '<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", manifest)
    return file.getvalue()


def other_files() -> dict[str, bytes]:
    """Return workbooks, JSON and structures by name."""
    heading: list[object] = ["name", "smiles", "Cp [J/(kg K)]"]
    rows: list[list[object]] = [heading, *[list(row) for row in ROWS]]
    formatted = workbook(("Data", rows))
    for row in range(10, 40):
        formatted["Data"].cell(row=row, column=4).font = Font(bold=True)
    formatted["Data"]["D1048576"].font = Font(bold=True)
    merged = workbook(
        (
            "Data",
            [
                ["Polymer", None, "Density [g/cm3]", None],
                ["name", "smiles", "exp", "MD"],
                ["PE", PE, 0.95, 0.84],
                ["PS", PS, 1.05, 1.0],
            ],
        )
    )
    merged["Data"].merge_cells("A1:B1")
    merged["Data"].merge_cells("C1:D1")
    percent = workbook(
        ("Data", [["name", "smiles", "crystallinity", "Cp"], ["PE", PE, 0.55, 2300], ["PS", PS, 0.0, 1250]])
    )
    percent["Data"]["C2"].number_format = "0 %"
    formulas = workbook(("Data", [heading, ["PE", PE, "=2000+300"], ["PS", PS, 1250], ["PP", PP, 1930]]))
    far = workbook(("Data", rows))
    far["Data"]["XFD1048576"] = 1
    records = [dict(zip(("name", "smiles", "Cp"), row, strict=True)) for row in ROWS]
    block = Chem.MolToMolBlock(Chem.MolFromSmiles(PS))
    second = Chem.MolToMolBlock(Chem.MolFromSmiles(PE))
    structures = (
        f"polystyrene{block}>  <Cp [J/(kg K)]>\n1250\n\n$$$$\npolyethylene{second}>  <Cp [J/(kg K)]>\n2300\n\n$$$$\n"
    )
    return {
        "plain.xlsx": saved(workbook(("Data", rows))),
        "title_rows.xlsx": saved(workbook(("Data", [["Our heat capacities"], [], ["by DSC"], *rows]))),
        "second_sheet.xlsx": saved(workbook(("Read me", [["Values from literature"], ["ask Eva"]]), ("Values", rows))),
        "hidden_sheet.xlsx": saved(workbook(("Old", [heading, ["PE", PE, 1]]), ("Values", rows), hidden=("Old",))),
        "merged_headings.xlsx": saved(merged),
        "numbers_as_text.xlsx": saved(
            workbook(
                (
                    "Data",
                    [["name", "smiles", "Cp [J/(g K)]"], ["PE", PE, "2,3"], ["PS", PS, "1,25"], ["PP", PP, "1,93"]],
                )
            )
        ),
        "ids_and_dates.xlsx": saved(
            workbook(
                (
                    "Data",
                    [
                        ["id", "smiles", "date", "Cp"],
                        ["007", PE, datetime.date(2024, 5, 3), 2300],
                        [12, PS, None, 1250],
                    ],
                )
            )
        ),
        "percent_cells.xlsx": saved(percent),
        "formulas_without_values.xlsx": saved(formulas),
        "formatted_empty_rows.xlsx": saved(formatted),
        "far_away_cell.xlsx": saved(far),
        "table_not_in_the_corner.xlsx": saved(
            workbook(("Data", [[None] * 3, [None, None, *heading], *[[None, None, *row] for row in ROWS]]))
        ),
        "empty.xlsx": saved(workbook(("Data", []))),
        "csv_named.xlsx": table().encode(),
        "workbook_named.csv": saved(workbook(("Data", rows))),
        "damaged.xlsx": saved(workbook(("Data", rows)))[:2500],
        "archive.zip": _zipped("plain.csv", table().encode()),
        "plain.ods": open_document(rows),
        "repeated_cells.ods": open_document(rows, ' table:number-columns-repeated="16000"'),
        "records.json": json.dumps(records).encode(),
        "columns.json": json.dumps({key: [record[key] for record in records] for key in records[0]}).encode(),
        "pandas_split.json": json.dumps({"columns": list(records[0]), "data": [list(row) for row in ROWS]}).encode(),
        "lines.jsonl": "\n".join(map(json.dumps, records)).encode(),
        "digits_kept.json": b'[{"smiles": "*CC*", "density [g/cm3]": 0.950, "id": 007}]'.replace(b"007", b'"007"'),
        "cut_off.json": json.dumps(records).encode()[:100],
        "nested.json": b"[" * 20_000 + b"]" * 20_000,
        "no_records.json": b'{"version": 1}',
        "structures.sdf": structures.encode(),
    }


def _zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def chemists_tables() -> dict[str, bytes]:
    """Return tables as chemists of several countries and instruments hand them over, by name."""
    three = (("PS", PS), ("PMMA", PMMA), ("PVC", PVC))

    def rows(*columns: tuple[object, ...], delimiter: str = ",", names: tuple[str, ...] = ()) -> str:
        lines = []
        for number, (name, smiles) in enumerate(three):
            cells = (names[number] if names else name, smiles, *(column[number] for column in columns))
            lines.append(delimiter.join(map(str, cells)) + "\n")
        return "".join(lines)

    glass, density = (100, 105, 81), (1.05, 1.18, 1.39)
    comma = tuple(str(value).replace(".", ",") for value in density)
    texts = {
        "iso_slash_headings.csv": "Polymer,SMILES,T_g / K,Specific volume V / cm3/g,c_p/(J g−1 K−1)\n"
        + rows((373, 378, 354), (0.952, 0.847, 0.719), (1.22, 1.42, 0.95)),
        "subscript_in_heading.csv": "Polymer,SMILES,T_g (K)\n" + rows((373, 378, 354)),
        "power_beside_the_symbol.csv": "Polymer,SMILES,αl × 10⁶ (K⁻¹),10^3 ρ / kg m-3\n"
        + rows((70, 72, 80), (1050000, 1180000, 1390000)),
        "latex_headings.csv": "Polymer,SMILES,$T_\\mathrm{g}$ (K),$C_p$ (J/(kg K)),$\\rho$ (g/cm$^3$)\n"
        + rows((373, 378, 354), (1220, 1420, 950), density),
        "french_headings.csv": "Polymère;Motif répétitif;Température de transition vitreuse (°C);Masse volumique (g/cm³);Indice de refraction\n"
        + rows(glass, comma, ("1,59", "1,49", "1,54"), delimiter=";", names=("Polystyrène", "PMMA", "PVC")),
        "french_thousands.csv": "Nom;SMILES;Capacité thermique massique à 25 °C [J/(kg·K)];Réf.\n"
        + rows(("1\u202f223", "1 420", "950"), ("[12]", "[3]", "[4]"), delimiter=";"),
        "spanish_headings.csv": "Polímero;SMILES;Densidad (g/cm³);Calor específico (J/g·K);Temperatura de transición vítrea (°C)\n"
        + rows(comma, ("1,22", "1,42", "0,95"), glass, delimiter=";"),
        "italian_headings.csv": "Polimero;SMILES;Densità [g/cm3];Indice di rifrazione\n"
        + rows(comma, ("1,59", "1,49", "1,54"), delimiter=";"),
        "chinese_slashes.csv": "聚合物,重复单元,玻璃化转变温度/℃,密度/(g·cm^-3),比热容/(J·g^-1·K^-1)\n"
        + rows(glass, density, (1.22, 1.42, 0.95), names=("聚苯乙烯", "聚甲基丙烯酸甲酯", "聚氯乙烯")),
        "index_at_the_sodium_line.csv": "polymer;SMILES;n_D^20;V_d\n"
        + rows(("1,592", "1,491", "1,54"), ("30,9", "57,2", "42,1"), delimiter=";"),
        "index_in_superscripts.csv": "Polymer\tSMILES\tBrechungsindex n₂₀ᴰ\tDichte ρ(20 °C) / g·cm⁻³\n"
        + rows(("1,592", "1,491", "1,54"), comma, delimiter="\t"),
        "notes_behind_uncertainties.csv": 'Polymer,SMILES,"Cp, J/(g·K)"\nPS,*CC(*)c1ccccc1,1.223 ± 0.012 a)\n'
        "PMMA,*CC(C)(*)C(=O)OC,1.42±0.02^b\nPVC,*CC(*)Cl,0.95(3)*\nPE,*CC*,2.30 (±0.05)†\n\na) average of three samples\nb) DSC\n",
        "property_named_by_row.csv": "Stoff;SMILES;Messwert;Einheit;Eigenschaft\n"
        + rows(
            ("1,22", "1420", "0,95"), ("J/(g K)", "J/(kg K)", "kJ/(kg K)"), ("spez. Wärmekapazität",) * 3, delimiter=";"
        ),
        "sources_side_by_side.csv": "Polymer,SMILES,ρ (Brandrup) g/cm3,ρ (Mark) g/cm3,ρ (own) g/cm3\n"
        + rows(density, (1.06, 1.19, 1.38), (1.047, 1.17, "")),
        "year_beside_values.csv": "Polymer,SMILES,Tg/°C,Method,Reference,Year\nPS,*CC(*)c1ccccc1,104,DMA,Miller,2001\n"
        + rows(glass, ("DSC", "DSC", "DSC"), ("Rieger", "Rieger", ""), (1996, 1996, 1999)),
        "onset_and_midpoint.csv": "Probe;SMILES;Tg,onset [°C];Tg,mid [°C];Δcp [J/(g K)]\n"
        + rows(("97,2", "101,1", "78"), ("100,4", "105", "81"), ("0,28", "0,31", "0,30"), delimiter=";"),
        "gases_in_brackets.csv": "Polymer,SMILES,P(O2) [Barrer],P(N2) (10^-13 cm3(STP) cm/(cm2 s Pa))\n"
        + rows((2.6, 0.14, 0.045), (0.59, 0.09, 0.0089)),
        "measured_celsius_simulated_kelvin.csv": "Polymer,SMILES,Tg exp (°C),Tg MD (K),Tg MD std (K)\n"
        + rows(glass, (420, 431, 402), (8, 11, 9)),
        "temperatures_by_row.csv": "Polymer,SMILES,T / K,cp / J g-1 K-1\n"
        + "".join(
            f"{name},{smiles},{kelvin},{value + more:.2f}\n"
            for (name, smiles), value in zip(three, (1.2, 1.4, 0.95), strict=True)
            for kelvin, more in ((250, -0.1), (300, 0.0), (350, 0.3))
        ),
        "temperatures_side_by_side.csv": "Polymer,SMILES,cp(250 K) [J/(g K)],cp(300 K) [J/(g K)],cp(350 K) [J/(g K)]\n"
        + rows((1.1, 1.3, 0.85), (1.2, 1.4, 0.95), (1.5, 1.7, 1.25)),
        "side_by_side.csv": ",PS,PMMA,PVC\nSMILES,"
        + ",".join(smiles for _, smiles in three)
        + "\ndensity [g/cm3],1.05,1.18,1.39\n",
        "registry_numbers.csv": "CAS-Nr.,Polymer,SMILES,Dichte (g/cm³)\n9003-53-6,Polystyrol,*CC(*)c1ccccc1,1.05\n"
        "9011-14-7,PMMA,*CC(C)(*)C(=O)OC,1.18\n9002-86-2,PVC,*CC(*)Cl,1.39\n",
        "names_only.csv": "Polymer,Tg (°C)\nPolystyrene,100\nPMMA,105\nPVC,81\n",
        "bigsmiles.csv": "name,BigSMILES,density [g/cm3]\nPS,{[$]CC(c1ccccc1)[$]},1.05\nPE,{[][$]CC[$][]},0.92\n",
        "metal_end_marks.csv": "name,smiles,density [g/cm3]\nPS,[Cu]CC([Au])c1ccccc1,1.05\nPMMA,[Cu]CC(C)([Au])C(=O)OC,1.18\nPE,[Cu]CC[Au],0.92\n",
        "mixed_end_marks_unit_row.csv": "Name,SMILES,Density\n,,g cm-3\nPS,[R1]CC([R2])c1ccccc1,1.05\nPMMA,[*:1]CC(C)([*:2])C(=O)OC,1.18\nPVC,[1*]CC([2*])Cl,1.39\n",
        "approximate_german.csv": "Polymer;SMILES;Tg [°C]\nPS;*CC(*)c1ccccc1;ca. 100\nPMMA;*CC(C)(*)C(=O)OC;~105\nPVC;*CC(*)Cl;81–87\nPE;*CC*;< -100\nPTFE;*C(F)(F)C(*)(F)F;k. A.\n",
        "dates_instead_of_numbers.csv": "Polymer;SMILES;ρ in g/cm³\nPS;*CC(*)c1ccccc1;1,05\nPMMA;*CC(C)(*)C(=O)OC;18. Jan\nPVC;*CC(*)Cl;1,39\nPE;*CC*;2024-01-18\n",
    }
    packed = gzip.compress(table().encode(), mtime=0)
    two_rows = workbook(
        (
            "Tabelle1",
            [
                ["Polymer", "Struktur", "Thermische Eigenschaften", None, "Optik"],
                [None, "SMILES", "Tg", "cp", "nD"],
                [None, None, "°C", "J/(g K)", "-"],
                *[[name, smiles, *values] for (name, smiles), values in zip(
                    three, ((100, 1.22, 1.59), (105, 1.42, 1.49), (81, 0.95, 1.54)), strict=True
                )],
            ],
        )
    )  # fmt: skip
    two_rows["Tabelle1"].merge_cells("C1:D1")
    return {
        **{name: text.encode() for name, text in texts.items()},
        "german_export_1252.csv": (
            "Polymer;Wiederholeinheit;Glasübergangstemperatur Tg / °C;Bemerkung\r\nPolystyrol;*CC(*)c1ccccc1;100,5;DSC, 10 K/min\r\n"
            "PMMA;*CC(C)(*)C(=O)OC;105,0;\r\nPVC;*CC(*)Cl;81,0;\r\nPE;*CC*;-125;Literatur\r\n"
        ).encode("cp1252"),
        "japanese_export_cp932.csv": (
            "高分子名,繰り返し単位,ガラス転移温度(℃),密度(g/cm3),出典\n"
            + rows(
                glass,
                density,
                ("文献1", "文献2", ""),
                names=("ポリスチレン", "ポリメタクリル酸メチル", "ポリ塩化ビニル"),
            )
        ).encode("cp932"),
        "packed.csv.gz": packed,
        "groups_and_units_above.xlsx": saved(two_rows),
    }


if __name__ == "__main__":
    for name, content in {**text_files(), **other_files(), **chemists_tables()}.items():
        (FOLDER / name).write_bytes(content)
