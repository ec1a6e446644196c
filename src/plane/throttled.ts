export const throttledCure = 'other programs spend the same budget: give this one a key of its own, or lower service.limit'
