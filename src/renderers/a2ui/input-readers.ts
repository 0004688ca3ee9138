/** Reads the inputs of a surface. Source: A2UI's basic catalog, 0.9 and 1.0. */
import { own } from './data-model.ts';
import { inputDate } from './format-date.ts';
import { listOf, problemOf, rawProp, type ComponentProps, type Reader } from './component-props.ts';
import { FIELDS, type NodeOf, type Option } from './node-types.ts';

const MAX_OPTIONS = 200;
/** Chosen values: options, and others that the agent has set. */
const MAX_CHOSEN = 500;
/** More options than this become a drop-down list if only one can be chosen. */
const MAX_SHOWN_OPTIONS = 6;

const input = (given: ComponentProps) => ({
  label: given.text('label'),
  path: given.path('value'),
  problem: problemOf(given),
  required: isRequired(given),
});

const isRequired = (given: ComponentProps): boolean =>
  listOf(rawProp(given, 'checks')).some((check) => own(own(check, 'condition') ?? check, 'call') === 'required');

const optionsOf = (given: ComponentProps): readonly Option[] =>
  listOf(given.value('options'))
    .slice(0, MAX_OPTIONS)
    .flatMap((option) => {
      const value = own(option, 'value');
      return typeof value === 'string' ? [{ value, label: given.countedText(own(option, 'label')) || value }] : [];
    });

function dateKind(given: ComponentProps): NodeOf<'DateTimeInput'>['kind'] {
  const [date, time] = [given.value('enableDate') === true, given.value('enableTime') === true];
  if (date && time) return 'datetime-local';
  return time ? 'time' : 'date';
}

function choiceStyle(given: ComponentProps, several: boolean, count: number): NodeOf<'ChoicePicker'>['style'] {
  if (given.value('displayStyle') === 'chips') return 'chips';
  return !several && count > MAX_SHOWN_OPTIONS && given.value('filterable') !== true ? 'drop-down' : 'list';
}

export const inputReaders = {
  TextField: (given) => {
    const kind = given.oneOf('variant', FIELDS, 'shortText');
    const sent = given.countedText(given.entered('value'));
    return {
      type: 'TextField',
      ...input(given),
      value: kind === 'date' ? inputDate(sent, kind) : sent,
      placeholder: given.text('placeholder'),
      kind,
    };
  },
  CheckBox: (given) => ({ type: 'CheckBox', ...input(given), value: given.entered('value') === true }),
  DateTimeInput: (given) => {
    const kind = dateKind(given);
    const sent = given.countedText(given.entered('value'));
    return {
      type: 'DateTimeInput',
      ...input(given),
      kind,
      sent,
      value: inputDate(sent, kind),
      min: inputDate(given.text('min'), kind),
      max: inputDate(given.text('max'), kind),
    };
  },
  ChoicePicker: (given) => {
    const value = given.entered('value');
    const several = given.value('variant') === 'multipleSelection';
    const options = optionsOf(given);
    const chosen = (typeof value === 'string' ? [value] : listOf(value).slice(0, MAX_CHOSEN)).filter(
      (item) => typeof item === 'string',
    );
    return {
      type: 'ChoicePicker',
      ...input(given),
      // If only one can be chosen, the control shows only one.
      value: several ? chosen : chosen.slice(0, 1),
      options,
      several,
      style: choiceStyle(given, several, options.length),
      filterable: given.value('filterable') === true,
    };
  },
  Slider: (given) => {
    const min = given.number('min', 0);
    const max = Math.max(min, given.number('max', 100));
    const entered = given.entered('value');
    const steps = given.number('steps', 0);
    return {
      type: 'Slider',
      ...input(given),
      min,
      max,
      step: steps > 0 ? (max - min) / steps : undefined,
      value: typeof entered === 'number' && Number.isFinite(entered) ? entered : min,
    };
  },
} satisfies Readonly<Record<string, Reader>>;
