/** The controls: a form whose state is in the page's URL, so that a link restores the same widget. */
import {
  DEFAULT_CHUNK_DELAY_MS,
  IN_PAGE,
  PROTOCOLS,
  faultNames,
  isOneOf,
  scenarioNames,
  type FaultName,
  type ProtocolName,
  type ScenarioName,
} from './choices.ts';

export interface Settings {
  /** `auto`: the server that suits the question best, without a named protocol. */
  readonly protocol: 'auto' | typeof IN_PAGE | ProtocolName;
  /** Whether the attribute is left out although the server is chosen. */
  readonly recognise: boolean;
  readonly scenario: 'auto' | ScenarioName;
  readonly fault: FaultName | '';
  /** Milliseconds between two chunks. */
  readonly speed: number;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly mode: 'inline' | 'floating' | 'sidebar' | 'fullscreen';
  readonly density: 'comfortable' | 'compact';
  /** Undefined if none was chosen. */
  readonly accent: string | undefined;
  /** Pixels; undefined if none was chosen. */
  readonly radius: number | undefined;
  readonly locale: string;
  readonly reasoning: Shown;
  readonly tools: Shown;
  readonly persist: '' | 'none' | 'session' | 'local';
  /** Whether the stream inspector is shown. */
  readonly debug: boolean;
}
type Shown = '' | 'collapsed' | 'open' | 'hidden';

const SHOWN = ['', 'collapsed', 'open', 'hidden'] as const;
const THEMES = ['auto', 'light', 'dark'] as const;
const MODES = ['inline', 'floating', 'sidebar', 'fullscreen'] as const;
const PERSISTS = ['', 'none', 'session', 'local'] as const;
const DENSITIES = ['comfortable', 'compact'] as const;

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement): readonly Control[] =>
  [...form.elements].filter(
    (element): element is Control =>
      (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) && element.name !== '',
  );

/** Sets the controls from the URL; missing or invalid values keep the page's default. */
export function restore(form: HTMLFormElement, query: URLSearchParams): void {
  for (const control of controlsOf(form)) {
    const value = query.get(control.name);
    if (value === null) continue;
    if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')) {
      control.checked = control.value === value;
    } else if (control instanceof HTMLInputElement) control.value = value;
    else if ([...control.options].some((option) => option.value === value)) control.value = value;
  }
  for (const group of new Set(controlsOf(form).map(({ name }) => name))) {
    // A radio group without a selection: the URL has none of its values.
    const radios = [...form.querySelectorAll<HTMLInputElement>(`input[type=radio][name=${group}]`)];
    const first = radios.find((radio) => radio.defaultChecked);
    if (first && !radios.some((radio) => radio.checked)) first.checked = true;
  }
}

const isDefault = (control: Control): boolean => {
  if (control instanceof HTMLSelectElement) return control.selectedIndex === 0;
  return control.type === 'radio' || control.type === 'checkbox'
    ? control.checked === control.defaultChecked
    : control.value === control.defaultValue;
};

/** The values that differ from the page's defaults. */
export function toQuery(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const control of controlsOf(form)) {
    const chosen =
      control instanceof HTMLSelectElement || !['radio', 'checkbox'].includes(control.type) || control.checked;
    if (chosen && !isDefault(control)) query.set(control.name, control.value);
  }
  return query.toString();
}

/** The values of the controls. */
export function readSettings(form: HTMLFormElement): Settings {
  const data = new FormData(form);
  const word = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  const oneOf = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value =>
    values.find((value) => value === word(name)) ?? values[0];
  const changed = (name: string): boolean =>
    controlsOf(form).some((control) => control.name === name && !isDefault(control));
  const [protocol, scenario, fault] = [word('protocol'), word('scenario'), word('fault')];
  return {
    protocol: protocol === IN_PAGE || isOneOf(PROTOCOLS, protocol) ? protocol : 'auto',
    recognise: data.has('recognise'),
    scenario: isOneOf(scenarioNames, scenario) ? scenario : 'auto',
    fault: isOneOf(faultNames, fault) ? fault : '',
    speed: Number(word('speed') || DEFAULT_CHUNK_DELAY_MS),
    theme: oneOf('theme', THEMES),
    mode: oneOf('mode', MODES),
    density: oneOf('density', DENSITIES),
    accent: changed('accent') ? word('accent') : undefined,
    radius: changed('radius') ? Number(word('radius')) : undefined,
    locale: word('locale'),
    reasoning: oneOf('reasoning', SHOWN),
    tools: oneOf('tools', SHOWN),
    persist: oneOf('persist', PERSISTS),
    debug: data.has('debug'),
  };
}
