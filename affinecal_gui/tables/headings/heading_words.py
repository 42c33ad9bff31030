"""How chemists name their columns: words of headings in English, German, Japanese and Chinese, lower case."""

import re
from itertools import pairwise

from affinecal_gui.tables.headings.role_names import Role
from affinecal_gui.tables.units.property_names import property_by_name, simplified


def _set(text: str) -> frozenset[str]:
    return frozenset(simplified(word) for word in text.split("|"))


HEADINGS: dict[Role, frozenset[str]] = {
    "id": _set(
        "id|monomer_id|polymer_id|pid|polyinfo id|sample id|uid|key|code|ident|nr|no|number|poly_id"
        "|nummer|index|idx|#|row|lfd. nr.|番号|编号|序号|repeat_unit_id|ru_id|cas|cas number|registry number"
    ),
    "name": _set(
        "name|polymer|polymer name|polymer_name|polymername|material|compound|sample|sample name|bezeichnung|werkstoff"
        "|stoff|kunststoff|probe|nom|nombre|nome|polymère|polímero|polimero|matériau|ポリマー|ポリマー名|高分子|高分子名|名称|名前|試料|試料名|材料|聚合物|聚合物名称|样品"
        "|échantillon|échantillons|muestra|amostra|campione|próbka|materiał|nazwa|polimer|kopolimer|copolymer|copolymère"
        "|copolímero|copolimero|образец|полимер|материал|название|시료|시편|고분자|폴리머|이름|样本|试样|試樣"
        "|label|title|common name|trivial name|abbreviation|iupac name"
    ),
    "smiles": _set(
        "smiles|psmiles|p-smiles|p_smiles|polymer smiles|polymer_smiles|repeat unit|repeat_unit|repeat unit smiles"
        "|repeating unit|ru smiles|canonical smiles|monomer smiles|structure|wiederholeinheit|struktur|strukturformel"
        "|繰り返し単位|繰返し単位|構造|构造|结构|重复单元|smiles string|smi|cru"
        "|motif répétitif|unité de répétition|unidad repetitiva|unità ripetitiva"
    ),
    "unit": _set(
        "unit|units|unit of measure|unit of measurement|measurement unit|einheit|einheiten|maßeinheit|masseinheit"
        "|unité|unités|unidad|unidades|unidade|unità|eenheid|enhet|jednostka|birim"
        "|ед|ед изм|единица|единицы|единица измерения|単位|单位|單位|단위|uom|dimension"
    ),
    "temperature": _set(
        "t|temp|temperature|temp.|measurement temperature|test temperature|temperatur|messtemperatur|t measured|温度"
        "|測定温度|测试温度|t exp|t/k|temperature t|temperatur t|温度 t|測定温度 t"
        "|t meas|t measurement|temperature of measurement|measuring temperature|t test|at t|at temperature|t ref|tref"
        "|reference temperature|t sim|t md|temp md|temp sim|simulation temperature|temperature of simulation"
        "|md temperature|simulated temperature|t simulation|température|temperatura|t mess|prüftemperatur|模拟温度|計算温度"
        "|температура|температура измерения|temperatuur|sıcaklık|溫度|测量温度|온도|측정 온도|측정온도"
    ),
    "phase": _set("phase|state|physical state|morphology|zustand|aggregatzustand|phasenzustand|相|状態|状态|condition"),
    "source": _set(
        "source|sources|reference|references|ref|ref.|refs|doi|literature|citation|quelle|quellen|literatur|referenz|出典|文献"
        "|来源|参考文献|data source|original reference|origin|provenance|url|link"
    ),
    "fraction": _set(
        "fraction|composition|copolymer fraction|mole fraction|molar fraction|weight fraction|mol%|mol %|wt%|ratio"
        "|copolymer ratio|comonomer content|anteil|組成|組成比|比率|含量"
    ),
}
"""Headings that name a role outright, in their simplified form."""

ROW_NUMBERS: frozenset[str] = _set("nr|no|number|nummer|index|idx|#|row|lfd. nr.|番号|编号|序号")
"""Headings of ids that name no polymer where they count the rows; one headed "id" does."""

REMARKS: frozenset[str] = _set(
    "remark|remarks|note|notes|comment|comments|bemerkung|bemerkungen|kommentar|anmerkung|remarque|remarques|nota|notas"
    "|備考|备注"
)
"""Headings of texts in which anything may be said of a row."""

CONDITIONS_IN_WORDS: frozenset[str] = _set(
    "condition|conditions|md condition|md conditions|simulation conditions|measurement conditions|test conditions"
    "|bedingung|bedingungen|messbedingungen|conditions de mesure|condiciones|条件|測定条件|测试条件|计算条件"
)
"""Headings of texts that say under which conditions values hold: "450 K, 1 atm"."""

PRESSURES: frozenset[str] = _set(
    "press|pressure|p_sim|pressure of simulation|simulation pressure|applied pressure|hydrostatic pressure|test pressure"
    "|druck|prüfdruck|pression|presión|pressão|pressione|ciśnienie|давление|basınç|圧力|压力|压强|壓力|압력"
)
TACTICITIES: frozenset[str] = _set(
    "tacticity|stereoregularity|stereo regularity|taktizität|tacticité|tacticidad|taticidade|tatticità|тактичность"
    "|タクティシティー|タクティシティ|立体規則性|规整度|立构规整性|立構規整度|입체규칙성"
)
_CONDITIONS: frozenset[str] = _set("dp|mn|mw")
SIMULATION_SETTINGS: frozenset[str] = _set(
    "dp|n_mol|n_atom|n_atoms|n_atom_mean|press|polymer_class|ensemble|force field|ff|forcefield|time step"
    "|timestep|n_chains|chains|cutoff|charge method|software"
)
SETTINGS: frozenset[str] = (
    SIMULATION_SETTINGS
    | PRESSURES
    | TACTICITIES
    | _set(
        "mn|mw|licence|license|date|year|publication year|jahr|erscheinungsjahr|année|año|anno|ano|年|年份"
        "|comment|comments|remark|remarks|bemerkung|note|notes|備考|备注|operator|操作者"
    )
)
"""Columns that describe how a value came about; kept as details, never offered as a property."""

SELDOM_CONDITIONS: frozenset[str] = SETTINGS - _CONDITIONS
"""Settings of which nobody asks why they are not used: the size of a cell, the year; pressures are used."""

MEASURED_WORDS: frozenset[str] = _set(
    "exp|expt|exptl|experiment|experimental|experiments|measured|measurement|measurements|meas|lit|literature|obs|observed"
    "|exper|actual|lab|handbook|nist|gemessene|gemessener|gemessenes|experimentelle|experimenteller|experimentelles|mess"
    "|expérimental|expérimentale|mesuré|mesurée|mesure|medido|medida|experimentale|sperimentale|misurato|misurata"
    "|eksperymentalna|eksperymentalny|eksperymentalne|doświadczalna|doświadczalne|zmierzona|zmierzone|pomiar|eksp"
    "|эксп|эксперимент|экспериментальная|экспериментальные|измеренная|измеренные|измерено|실험|실험값|실측|측정|측정값"
    "|gemessen|messung|messwert|messwerte|experimentell|実験|実験値|実測|実測値|測定値|实验|实验值|测量|测量值"
)
MD_WORDS: frozenset[str] = _set(
    "md|radonpy|sim|simulated|simulation|simulations|calc|calculated|computed|gaff|gaff2|lammps|gromacs|opls|pcff|simuliert"
    "|simulierte|simulierter|simuliertes|berechnete|berechneter|berechnetes|calcd|calculation|calculations|computation"
    "|npt|nvt|charmm|namd|openmm|trappe|predicted|prediction|pred|theoretical|theory|theor|dft|simulé|simulée|calculé|calculée|simulado|simulada|calculado"
    "|calculada|simulação|simulación|simulato|simulata|calcolato|calcolata"
    "|modelled|modeled|modelling|modeling|simul|virtual|symulacja|symulowana|obliczona|obliczone|obliczeniowa"
    "|расч|расчет|расчёт|расчетная|расчётная|рассчитано|моделирование|мд|계산|계산값|시뮬레이션|전산모사"
    "|berechnet|計算|計算値|シミュレーション|模拟|模拟值|计算|计算值"
)
ESTIMATE_WORDS: frozenset[str] = MD_WORDS & _set(
    "predicted|prediction|pred|theoretical|theory|theor|dft|berechnete|berechneter|berechnetes|berechnet|calc|calculated|calcd"
    "|calculation|calculations|computed|computation|calculé|calculée|calculado|calculada|calcolato|calcolata|計算|計算値|计算"
    "|modelled|modeled|modelling|modeling|obliczona|obliczone|obliczeniowa|расч|расчет|расчёт|расчетная|расчётная"
    "|рассчитано|계산|계산값"
    "|计算值"
)
"""Words that say that values are calculated, but not by which method."""

NEUTRAL_WORDS: frozenset[str] = _set(
    "molar|isobaric|apparent|value|values|mean|average|avg|median|reported|wert|werte|mittelwert|mittel|値|平均|平均値|值|平均值|of|the|at|300|298"
    "|298k|300k|25|25c|rt|solid|glass|amorphous|bulk|polymer|static|specific|target|data|final|selected|true|ref"
    "|isobare|isobar|molare|bei|der|des|konstantem|druck|constant|pressure"
)
MEAN_WORDS: frozenset[str] = _set(
    "mean|average|avg|ave|mittelwert|mittel|moyenne|moy|media|promedio|média|średnia|среднее|平均|平均値|平均值|평균"
)
"""Words that say of values that they are means."""
NAMING_WORDS: frozenset[str] = _set(
    "property|properties|property name|prop|parameter|variable|quantity|measurand|observable|characteristic|measure"
    "|attribute|feature|metric|eigenschaft|eigenschaften|kenngröße|kenngrösse|größe|grösse|messgröße|messgrösse|merkmal"
    "|kennwert|propriété|grandeur|propiedad|magnitud|proprietà|grandezza|propriedade|物性|物性名|特性|项目|性质|性能"
)
"""Headings of a column that names the property of each row."""

VALUE_WORDS: frozenset[str] = NEUTRAL_WORDS | _set(
    "result|results|ergebnis|ergebnisse|val|number|num|amount|reading|zahlenwert|zahl|valeur|valeurs|résultat|valor"
    "|valores|resultado|valore|valori|risultato|数値|结果|結果|数值|y"
)
"""Words of headings that say no more than that values stand below."""

METHOD_WORDS: frozenset[str] = _set(
    "dsc|mdsc|tmdsc|adiabatic|calorimetry|calorimeter|tga|dma|tma|dilatometry|pycnometry|ellipsometry|refractometer|this|work"
    "|paper|note|see|text|table|sample|batch|run|annealed|dry|film|powder|room|temperature"
    "|properties|property|eigenschaften|eigenschaft|propriétés|propiedades|propriedades|proprietà|物性|特性|性能"
    "|thermal|thermische|thermiques|termiche|optical|optics|optik|optische|optiques|physical|physikalische|mechanical|mechanische"
    "|by|from|via|using|mittels|tan|δ|hot|disk|disc|laser|flash|lfa|onset|mid|midpoint|endset|inflection|second|2nd|heating|aufheizung"
)
WAYS_TO_MEASURE: frozenset[str] = _set(
    "dsc|mdsc|tmdsc|dta|dma|dmta|tma|tga|calorimetry|calorimeter|dilatometry|dilatometer|pycnometry|pycnometer|ellipsometry"
    "|refractometer|refractometry|polyinfo|handbook|real|true"
)
"""Words that say of a row that its value is measured where those of other rows are from MD."""

NO_UNITS: frozenset[str] = MEASURED_WORDS | MD_WORDS | NEUTRAL_WORDS | METHOD_WORDS
"""Words in brackets of a heading that are no unit, though nothing else is known of them."""

ABBREVIATIONS = {
    "spez": "spezifische",
    "wärmeleitf": "wärmeleitfähigkeit",
    "spezif": "spezifische",
    "spezifischer": "spezifische",
    "spec": "specific",
    "sp": "specific",
    "cap": "capacity",
    "therm": "thermal",
    "cond": "conductivity",
    "refr": "refractive",
    "temp": "temperature",
    "trans": "transition",
}
"""Words of headings that are cut short -> the words of the names of properties."""

SCATTER_WORDS = frozenset(
    (
        *(
            "std",
            "sd",
            "stdev",
            "std dev",
            "stddev",
            "standard deviation",
            "deviation",
            "dev",
            "sigma",
            "rmse",
            "spread",
            *("st dev", "stddev s", "stdev s", "esd", "e s d"),
        ),
        *("standardabweichung", "stdabw", "stabw", "streuung", "écart type", "desviación estándar", "desviación"),
        *("deviazione standard", "標準偏差", "标准差", "标准偏差", "표준편차"),
        *("σ", "s d", "dev std", "desvio padrão", "desvio", "odchylenie standardowe", "odchylenie"),
        *("стандартное отклонение", "отклонение", "ско", "标准离差", "標準差", "standardabw", "std abw", "abweichung"),
        *(
            "ecart type",
            "ecartype",
            "desvest",
            "desv est",
            "desv estándar",
            "desv std",
            "dev st",
            "scarto",
            "scarto tipo",
        ),
        *("odch stand", "odch std", "écart-type", "estimated standard deviation"),
    )
)
"""Words that name the scatter of single values, and not the error of their mean."""

STATISTICS: dict[str, Role] = {
    **dict.fromkeys(
        (
            *SCATTER_WORDS,
            *(
                "stderr",
                *("s e", "s e m", "uncert", "std error", "std err", "esdm", "eem"),
                "se",
                "sem",
                "standard error",
                "err",
                "error",
                *("error bar", "error bars", "errorbar"),
                "uncertainty",
                "unc",
                "u",
                "±",
                "+/",
                "+",
                "fehler",
            ),
            *("messunsicherheit", "messfehler", "standardfehler", "incertitude", "erreur", "incertidumbre"),
            *(
                "incertezza",
                "standard uncertainty",
                "不確度",
                "不确定度",
                "标准误差",
                "標準誤差",
                "불확도",
                "오차",
                "unsicherheit",
                "誤差",
            ),
            *("不確かさ", "误差"),
            *("incerteza", "erro", "errore", "niepewność", "błąd", "погрешность", "ошибка", "неопределенность"),
            "неопределённость",
        ),
        "uncertainty",
    ),
    **dict.fromkeys(
        ("min", "minimum", "lowest", "low", "lower", "from", "von", "niedrigster", "最小", "最小値", "下限", "最低"),
        "lowest",
    ),
    **dict.fromkeys(
        ("max", "maximum", "highest", "high", "upper", "to", "bis", "höchster", "最大", "最大値", "上限", "最高"),
        "highest",
    ),
    **dict.fromkeys(
        (
            *("range", "ranges", "range found", "spread found", "bereich", "wertebereich", "spanne", "範囲", "范围"),
            *("intervalle", "plage", "rango", "intervallo"),
        ),
        "range",
    ),
    **dict.fromkeys(
        (
            *(
                "count",
                "n",
                "repeats",
                "repetitions",
                "replicates",
                "values found",
                "number of values",
                "n values",
                "samples",
            ),
            *(
                "n samples",
                "n runs",
                "runs",
                "anzahl",
                "messungen",
                "回数",
                "測定回数",
                "次数",
                "num",
                "number of samples",
            ),
        ),
        "repeats",
    ),
}
"""Words that make a column a statistic of a value column."""


MOST_LETTERS = 500  # of a heading that are looked at; that of a damaged file may have millions


def words_of(text: str) -> tuple[str, ...]:
    """Divide a heading into lower-case words: at blanks, underscores, brackets, and where CamelCase begins a word.

    >>> words_of("Cp_exp (mean)")
    ('cp', 'exp', 'mean')
    """
    text = text[:MOST_LETTERS].replace("RadonPy", "radonpy")
    spaced = re.sub(
        r"(?<=[a-z]{2})(?=[A-Z][a-z])|(?<=[a-z]{2})(?=(?:MD|NPT|NVT|DFT|GAFF2?|OPLS|PCFF|EXP|SIM|CALC|DSC)(?![a-zA-Z]))"
        rf"|(?<=[{_CJK}])(?=[A-Za-zα-ω])|(?<=[A-Za-zα-ω])(?=[{_CJK}])",
        " ",
        text,
    )
    words = [word for word in re.split(r"[\s_\-./()\[\]{},:;・（）【】［］]+", spaced.casefold()) if word]
    return tuple(part for word in words for part in _divided(word))


def is_scatter(heading: str) -> bool:
    """Tell whether the heading of a statistic speaks of single values, and not of their mean.

    >>> is_scatter("Cp_std"), is_scatter("standard deviation of Tg"), is_scatter("Cp SE"), is_scatter("± Cp")
    (True, True, False, False)
    """
    words = words_of(heading)
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    return any(word in SCATTER_WORDS for word in (*words, *pairs))


_CJK = "\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"


def _divided(word: str) -> tuple[str, ...]:
    """Divide what is written without blanks into the words known here, the longest ones first; else leave it whole."""
    if not re.fullmatch(f"[{_CJK}]+", word) or len(word) > 30 or property_by_name(word) is not None:
        return (word,)
    known = MEASURED_WORDS | MD_WORDS | NEUTRAL_WORDS | STATISTICS.keys()
    for end in range(len(word) - 1, 0, -1):
        first, rest = word[:end], word[end:]
        if first in known or property_by_name(first) is not None:
            divided = _divided(rest)
            if all(part in known or property_by_name(part) is not None for part in divided):
                return (first, *divided)
    return (word,)
