/** The kinds of changes whose number is limited. */
export const amountNames = ['creates', 'raises', 'lowers', 'deletes'] as const
export type Amounts = Readonly<Record<(typeof amountNames)[number], number>>
