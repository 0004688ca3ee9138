/** The settings of the element: their attributes, and the words they may be. Source: the contract, section 2. */
import type { PropertyDeclarations } from 'lit';
import { count, flag, json, oneOf, property, word } from './attributes.ts';

export const MODES = ['inline', 'floating', 'sidebar', 'fullscreen'] as const;
export const PLACEMENTS = ['end', 'start'] as const;
export const SCHEMES = ['auto', 'light', 'dark'] as const;
export const SHOWN = ['collapsed', 'open', 'hidden'] as const;
export const SUBMIT_KEYS = ['auto', 'enter', 'mod-enter'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;
export const ARTIFACTS = ['frame', 'source'] as const;
export const CREDENTIALS = ['same-origin', 'omit', 'include'] as const;
export const RETRIES = ['', 'auto', 'safe', 'off'] as const;

/** A setting of the page's stylesheets or its readers sees the attribute, so these are reflected. */
const REFLECTED = true;

export const properties: PropertyDeclarations = {
  endpoint: word('endpoint'),
  protocol: word('protocol'),
  headers: property,
  body: property,
  context: property,
  fetch: property,
  transformRequest: property,
  transformEvent: property,
  credentials: oneOf('credentials', CREDENTIALS),
  model: word('model'),
  system: word('system'),
  agents: property,
  agent: word('agent'),
  tools: property,
  maxToolRounds: count('max-tool-rounds', 1),
  poll: property,
  retry: oneOf('retry', RETRIES),
  threadId: word('thread-id'),
  limits: property,
  mode: oneOf('mode', MODES, REFLECTED),
  open: flag('open', REFLECTED),
  placement: oneOf('placement', PLACEMENTS, REFLECTED),
  heading: word('heading'),
  placeholder: word('placeholder'),
  greeting: word('greeting'),
  teaser: word('teaser'),
  disclaimer: word('disclaimer'),
  participants: property,
  suggestions: json('suggestions'),
  colorScheme: oneOf('color-scheme', SCHEMES, REFLECTED),
  density: oneOf('density', DENSITIES, REFLECTED),
  locale: word('locale'),
  strings: property,
  keepAlive: flag('keep-alive'),
  showReasoning: oneOf('show-reasoning', SHOWN),
  showTools: oneOf('show-tools', SHOWN),
  submitKey: oneOf('submit-key', SUBMIT_KEYS),
  without: word('without'),
  artifacts: oneOf('artifacts', ARTIFACTS),
  imageHosts: word('image-hosts'),
  linkHosts: word('link-hosts'),
  disabled: flag('disabled'),
  readonly: flag('readonly'),
  autofocus: flag('autofocus'),
  renderers: property,
};

/** What holds where the page has said nothing. */
export const defaults = {
  credentials: 'same-origin',
  mode: 'inline',
  open: false,
  placement: 'end',
  colorScheme: 'auto',
  density: 'comfortable',
  keepAlive: false,
  submitKey: 'auto',
  artifacts: 'frame',
  disabled: false,
  readonly: false,
  autofocus: false,
} as const;
