"""Reports as self-contained pages: of batch studies, which strategy is better, by how much, and where; of hands that
were played, what each card cost.

open_study("run.parquet")          a study's file, or what is there of it while it runs
study_report(file, top=5)          its figures: means, paired differences, the deals to look at
study_page(report)                 these as an HTML page
review_page.review_page(reviews)   reviewed hands, to be stepped through; review_words: their sentences

markup, plots, hands               elements, tables and pages; plots as inline SVG; cards: for pages of any kind
intervals                          means with their intervals, and which differences can be told apart
"""

from tierce.solver.report.study import study_report
from tierce.solver.report.study_files import Row, StudyFile, open_study
from tierce.solver.report.study_page import study_page
from tierce.solver.report.study_results import Difference, Look, StrategyResult, StudyReport, Told

__all__ = [
    "Difference",
    "Look",
    "Row",
    "StrategyResult",
    "StudyFile",
    "StudyReport",
    "Told",
    "open_study",
    "study_page",
    "study_report",
]
