"""What is learnt of real pages, offline and by a model: is it sound, and does it find its elements again?"""
