/** What stands in the place of a text of a server that was asked for members: only that server knows whether the text names one of them. */
export const notShown = 'text not shown: it may name people'
