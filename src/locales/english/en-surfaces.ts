import type { Catalogue } from '../text.ts';

/** English texts of surfaces and apps. */
export const enSurfaces = {
  'ui.from': 'From {name}',
  'ui.closed': 'The agent has closed this.',
  'ui.cut': 'Not everything can be shown here.',
  'ui.unknown': '{name} can’t be shown here',
  'ui.secret': 'This asks for confidential data. This chat doesn’t pass it on.',
  'ui.secret.sent': 'Your input is sent to the agent. It is not shown in the chat and not stored.',
  'ui.filter': 'Filter options',
  'ui.updated': 'Updated above',
  'ui.invalid': 'Check this entry.',
  'app.from': 'App from {name}',
  'app.failed': '{name} could not be loaded.',
  'app.message': '{name} wants to send this on your behalf',
  'app.link': '{name} wants to open this link',
  'app.tool': '{name} wants to use the tool {tool}',
  'app.full': 'Full screen',
  'app.exit': 'Exit full screen',
  'app.send': 'Send',
  'app.refuse': 'Don’t allow',
} as const satisfies Catalogue;
