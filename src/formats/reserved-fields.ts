/** Fields that only the widget, the page or the user may set. A stream or a file that contains them would speak for one of them. */

/** Reserved `extra` keys of a question. */
export const RESERVED_EXTRA: ReadonlySet<string> = new Set([
  'byPage',
  'forAgent',
  'question',
  'decided',
  'decidedBy',
  'note',
  'answer',
  'edited',
  'always',
  'approval',
  'unsent',
]);
