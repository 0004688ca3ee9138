/** The switches of the playground. They are what stands behind the `#` of its address, so that a link gives the same widget. */
import type { Stream } from './streams.ts';

export interface PlaySettings {
  readonly source: 'ours' | 'paste' | 'endpoint';
  /** Of a stream of ours. */
  readonly stream: string;
  readonly pasted: string;
  readonly endpoint: string;
  /** `auto`: left to be recognised. */
  readonly protocol: string;
  /** Attributes by name, those that are not set left out. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Names of attributes that were asked for and that the playground does not set. */
  readonly leftOut: readonly string[];
  readonly accent: string | undefined;
  /** Of a recorded stream. */
  readonly speed: string;
}

/** A pasted stream that is longer would make an address that nobody can send. */
const LONGEST = 6000;

/** Controls whose value is the attribute of their name. */
const ATTRIBUTES = [
  'mode',
  'color-scheme',
  'theme',
  'density',
  'locale',
  'show-reasoning',
  'show-tools',
  'scroll-anchor',
  'math',
] as const;

/**
 * Further attributes that may be written. Anybody can make a link to the playground, so there is none that sends, loads, stores or runs
 * anything: no address, no list of hosts, no event handler.
 */
const FURTHER: ReadonlySet<string> = new Set([
  ...ATTRIBUTES,
  ...[
    'announce',
    'artifacts',
    'dir',
    'disabled',
    'disclaimer',
    'feedback',
    'greeting',
    'heading',
    'lang',
    'placeholder',
  ],
  ...['placement', 'readonly', 'submit-key', 'suggestions', 'teaser', 'without'],
]);

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
const controlsOf = (form: HTMLFormElement): readonly Control[] =>
  [...form.elements].filter(isControl).filter(({ name }) => name !== '');
const isChoice = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && ['radio', 'checkbox'].includes(control.type);

export function readSettings(form: HTMLFormElement): PlaySettings {
  const data = new FormData(form);
  const word = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const source = word('source');
  const further = Object.entries(attributesIn(word('more')));
  const chosen = ATTRIBUTES.map((name) => [name, word(name)] as const).filter(([, value]) => value !== '');
  return {
    source: source === 'paste' || source === 'endpoint' ? source : 'ours',
    stream: word('stream'),
    pasted: word('pasted'),
    endpoint: word('endpoint'),
    protocol: word('protocol') || 'auto',
    attributes: {
      ...Object.fromEntries(chosen),
      ...Object.fromEntries(further.filter(([name]) => FURTHER.has(name))),
      ...(data.has('debug') && { debug: '' }),
    },
    leftOut: further.map(([name]) => name).filter((name) => !FURTHER.has(name)),
    speed: word('speed'),
    accent: data.has('own-accent') ? word('accent') : undefined,
  };
}

/** `math="on" readonly` as names and values. */
const attributesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/([a-z][a-z-]*)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, value]),
  );

const firstOf = ({ options }: HTMLSelectElement): string =>
  ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? '';

/** A control that belongs to another source is not shown: a link must not carry what its sender no longer sees. */
function isShown(control: Control, source: PlaySettings['source']): boolean {
  const sources = control.closest<HTMLElement>('[data-source]')?.dataset['source'];
  return sources === undefined || sources.split(' ').includes(source);
}

/** What differs from the page as it is delivered. */
export function toHash(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  const { source } = readSettings(form);
  for (const control of controlsOf(form)) {
    if (!isShown(control, source)) continue;
    if (isChoice(control)) {
      if (control.checked !== control.defaultChecked && (control.checked || control.type === 'checkbox'))
        query.set(control.name, control.checked ? control.value : '');
    } else {
      const first = control instanceof HTMLSelectElement ? firstOf(control) : control.defaultValue;
      if (control.value !== first && control.value.length <= LONGEST) query.set(control.name, control.value);
    }
  }
  return query.toString();
}

export function restore(form: HTMLFormElement, hash: string): void {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  for (const control of controlsOf(form)) {
    const value = query.get(control.name);
    if (value === null) continue;
    if (isChoice(control)) control.checked = control.value === value;
    else if (!(control instanceof HTMLSelectElement)) control.value = value;
    else if ([...control.options].some((option) => option.value === value)) control.value = value;
  }
}

/** What somebody has pasted: a recording of the inspector, or the bytes of a stream as `curl` shows them. */
export function readPasted(text: string, protocol: string): Stream {
  const start = text.trimStart();
  const contentType = /^(?:data|event|id|:)/.test(start)
    ? 'text/event-stream'
    : /^[[{]/.test(start)
      ? /^\{.*\}\s*\n\s*\{/.test(start)
        ? 'application/x-ndjson'
        : 'application/json'
      : 'text/plain';
  // The last frame of what was copied from a terminal has often lost its empty line.
  return { protocol, name: 'pasted', contentType, body: `${text.trimEnd()}\n\n` };
}
