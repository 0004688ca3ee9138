/** The settings of the playground. They are in the URL's fragment, so that a link opens the same widget. */
import type { Stream } from './streams.ts';

export interface PlaySettings {
  readonly source: 'ours' | 'paste' | 'endpoint';
  /** Id of a recorded stream. */
  readonly stream: string;
  readonly pasted: string;
  readonly endpoint: string;
  /** `auto`: the protocol is detected. */
  readonly protocol: string;
  /** Attributes by name, without those that are not set. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Names of requested attributes that the playground does not set. */
  readonly leftOut: readonly string[];
  readonly accent: string | undefined;
  /** Playback speed of a recorded stream. */
  readonly speed: string;
}

/** Maximum length of a pasted stream, because longer URLs can't be shared. */
const LONGEST = 6000;

/** Controls whose value is the attribute with the same name. */
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
 * Further attributes that a link may set. Anybody can create a link to the playground, so none of them sends, loads, stores
 * or runs anything: no URL, no host list, no event handler.
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

/** Parses `math="on" readonly` into names and values. */
const attributesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/([a-z][a-z-]*)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, value]),
  );

const firstOf = ({ options }: HTMLSelectElement): string =>
  ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? '';

/** Hides controls of other sources: a link must not contain data that its sender no longer sees. */
function isShown(control: Control, source: PlaySettings['source']): boolean {
  const sources = control.closest<HTMLElement>('[data-source]')?.dataset['source'];
  return sources === undefined || sources.split(' ').includes(source);
}

/** Returns the settings that differ from the defaults. */
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

/** Parses pasted text: a recording of the inspector, or the bytes of a stream as printed by `curl`. */
export function readPasted(text: string, protocol: string): Stream {
  const start = text.trimStart();
  const contentType = /^(?:data|event|id|:)/.test(start)
    ? 'text/event-stream'
    : /^[[{]/.test(start)
      ? /^\{.*\}\s*\n\s*\{/.test(start)
        ? 'application/x-ndjson'
        : 'application/json'
      : 'text/plain';
  // The last frame of text copied from a terminal has often lost its empty line.
  return { protocol, name: 'pasted', contentType, body: `${text.trimEnd()}\n\n` };
}
