"""Learnt pages in the administration."""

from skills.admin.page_skills import PageSkillAdmin

__all__ = ["PageSkillAdmin"]
