/** Reads the inputs of a surface. Source: A2UI's basic catalog, 0.9 and 1.0. */
import { own } from './data-model.ts';
import { inputDate } from './format-date.ts';
import { checksOf, listOf, problemOf, type ComponentProps, type Reader } from './component-props.ts';
import { FIELDS, type NodeOf, type Option } from './node-types.ts';

const MAX_OPTIONS = 200;
/** Maximum number of chosen values. The agent may have set values that are not among the options. */
const MAX_CHOSEN = 500;
/** More options than this become a drop-down list if only one can be chosen. */
const MAX_SHOWN_OPTIONS = 6;

const input = (props: ComponentProps) => ({
  label: props.text('label'),
  path: props.path('value'),
  problem: problemOf(props),
  required: isRequired(props),
});

const isRequired = (props: ComponentProps): boolean =>
  checksOf(props).some((check) => own(own(check, 'condition') ?? check, 'call') === 'required');

/** The options, each value once: two options with the same value could not be chosen separately. */
const optionsOf = (props: ComponentProps): readonly Option[] => {
  const values = new Set<string>();
  return listOf(props.value('options'))
    .slice(0, MAX_OPTIONS)
    .flatMap((option) => {
      const value = own(option, 'value');
      if (typeof value !== 'string' || values.has(value) || !props.takePart()) return [];
      values.add(value);
      const label = props.countedText(own(option, 'label')) || props.countedText(value);
      // Without any text, the user would not see what they choose.
      return label === '' && value !== '' ? [] : [{ value, label }];
    });
};

function dateKind(props: ComponentProps): NodeOf<'DateTimeInput'>['kind'] {
  const [date, time] = [props.value('enableDate') === true, props.value('enableTime') === true];
  if (date && time) return 'datetime-local';
  return time ? 'time' : 'date';
}

function choiceStyle(props: ComponentProps, several: boolean, count: number): NodeOf<'ChoicePicker'>['style'] {
  if (props.value('displayStyle') === 'chips') return 'chips';
  return !several && count > MAX_SHOWN_OPTIONS && props.value('filterable') !== true ? 'drop-down' : 'list';
}

export const inputReaders = {
  TextField: (props) => {
    const kind = props.oneOf('variant', FIELDS, 'shortText');
    const dataValue = props.countedText(props.entered('value'));
    return {
      type: 'TextField',
      ...input(props),
      value: kind === 'date' ? inputDate(dataValue, kind) : dataValue,
      placeholder: props.text('placeholder'),
      kind,
    };
  },
  CheckBox: (props) => ({ type: 'CheckBox', ...input(props), value: props.entered('value') === true }),
  DateTimeInput: (props) => {
    const kind = dateKind(props);
    const dataValue = props.countedText(props.entered('value'));
    return {
      type: 'DateTimeInput',
      ...input(props),
      kind,
      dataValue,
      value: inputDate(dataValue, kind),
      min: inputDate(props.text('min'), kind),
      max: inputDate(props.text('max'), kind),
    };
  },
  ChoicePicker: (props) => {
    const value = props.entered('value');
    const several = props.value('variant') === 'multipleSelection';
    const options = optionsOf(props);
    const chosen = (typeof value === 'string' ? [value] : listOf(value).slice(0, MAX_CHOSEN)).filter(
      (item) => typeof item === 'string',
    );
    return {
      type: 'ChoicePicker',
      ...input(props),
      // If only one can be chosen, the control shows only one.
      value: several ? chosen : chosen.slice(0, 1),
      options,
      several,
      style: choiceStyle(props, several, options.length),
      filterable: props.value('filterable') === true,
    };
  },
  Slider: (props) => {
    const min = props.number('min', 0);
    const max = Math.max(min, props.number('max', 100));
    const entered = props.entered('value');
    const steps = props.number('steps', 0);
    return {
      type: 'Slider',
      ...input(props),
      min,
      max,
      step: steps > 0 ? (max - min) / steps : undefined,
      value: typeof entered === 'number' && Number.isFinite(entered) ? entered : min,
    };
  },
} satisfies Readonly<Record<string, Reader>>;
