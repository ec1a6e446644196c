/**
 * What each receiver makes of a text, as its documentation says: mentions, links and other signs that are not shown as they are. They find more than the receivers
 * do, never less.
 */

/** A domain, also without a scheme, as clients link it while they show a message. */
const bareAddress =
  /\b[\w+.-]+:\/\/\S+|\bmailto:\S+|\bwww\.\S+|[\w-]+@[\w-]+\.\w+|\b[\p{L}\p{N}-]+(?:[.。．｡][\p{L}\p{N}-]+)*[.。．｡]\p{L}{2,}(?![\p{L}\p{N}])/giu

/** docs.slack.dev/messaging/formatting-message-text: `<…>` is a link or a mention, `&lt;` an entity, `*…*` and the like are formatted. */
export const slackMakes = (text: string): readonly string[] => [
  ...found(text, /<[^>]*>/g),
  ...found(text, /&\w+;/g),
  ...found(text, /(?<!\w)([*_~`])\S.*?\S?\1(?!\w)/g),
  ...found(text, /:[\w+-]+:/g),
  ...found(text, bareAddress),
]

/** docs.mattermost.com/collaborate/format-messages.html: Markdown, `@name`, `~channel`, `#tag`; entities are decoded before mentions are looked for. */
export const mattermostMakes = (text: string): readonly string[] => [
  ...found(text, /(?:@|&commat;|&#0*64;|&#x0*40;)\w[\w.-]*/gi),
  ...found(text, /&#?\w+;/g),
  ...found(text, /(?<!\S)~[\w-]+/g),
  ...found(text, /(?<!\w)#\p{L}[\w-]*/gu),
  ...found(text, /!?\[[^\]]*\]\s?[([]/g),
  ...found(text, /(?<!\w)([*_`])\S.*?\S?\1(?!\w)|~~.*~~|\$.+\$/g),
  ...found(text, /^\s*(?:[#>|]|[-+*] |\d+[.)] )/gm),
  ...found(text, /:[\w+-]+:/g),
  ...found(text, /<[^>\s][^>]*>/g),
  ...found(text, bareAddress),
]

/** developers.google.com/workspace/chat/format-messages: `<users/all>`, `<https://…|text>`; no sign can be escaped. */
export const googleChatMakes = (text: string): readonly string[] => [
  ...found(text, /<[^>]*>/g),
  ...found(text, /(?<!\w)([*_~`])\S.*?\S?\1(?!\w)/g),
  ...found(text, bareAddress),
]

/** learn.microsoft.com/adaptive-cards/authoring-cards/text-features and learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format. */
export const teamsMakes = (text: string): readonly string[] => [
  ...found(text, /<\/?[a-z][^>]*>/gi),
  ...found(text, /&#?\w+;/g),
  ...found(text, /\[[^\]]*\]\([^)]*\)/g),
  ...found(text, /\{\{.*?\}\}/g),
  ...found(text, /(?<!\w)([*_])\S.*?\S?\1(?!\w)/g),
  ...found(text, /^\s*(?:[-+*] |\d+[.)] )/gm),
  ...found(text, bareAddress),
]

const found = (text: string, sign: RegExp): readonly string[] => [...text.matchAll(sign)].map(([whole]) => whole)
