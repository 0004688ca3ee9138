/** Access to the properties of a component, and the helpers that all readers share. */
import { own } from './data-model.ts';
import type { NodeShape, UiNode } from './node-types.ts';

export interface ComponentProps {
  /** The raw property. */
  raw(name: string): unknown;
  /** The resolved current value. */
  value(name: string): unknown;
  /** The current value of a property or of a part of one. */
  resolve(something: unknown): unknown;
  /** The value as visible text, which counts against the budget. */
  countedText(something: unknown): string;
  /** Counts an option or the title of a tab. Returns false if the surface has too many of them. */
  takePart(): boolean;
  /** Counts a text that is rendered as Markdown. Returns false if the surface has too much of it. */
  takeMarkdown(text: string): boolean;
  /** A property as visible text, in which an unknown function is shown as its name. */
  text(name: string): string;
  number(name: string, fallback: number): number;
  oneOf<const Value extends string>(name: string, allowed: readonly Value[], fallback: Value): Value;
  child(name: string): UiNode | undefined;
  /** The node of the component with an id; `as` distinguishes its key from those of other children. */
  node(id: unknown, as: string): UiNode | undefined;
  children(name: string): readonly UiNode[];
  /** The value of an input, which the user may have changed. */
  entered(name: string): unknown;
  /** The data path that a property is bound to. */
  path(name: string): string | undefined;
  /** The data path that a value refers to. */
  pointer(reference: unknown): string | undefined;
}

export type Reader = (props: ComponentProps) => NodeShape;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const rawProp = (props: ComponentProps, name: string): unknown => props.raw(name) ?? props.raw(`@${name}`);

const accessibility = (props: ComponentProps, name: 'label' | 'description'): string =>
  props.countedText(props.resolve(own(rawProp(props, 'accessibility'), name)));

/** The accessible name, if the agent sent one. */
export const accessibleName = (props: ComponentProps): string => accessibility(props, 'label');
export const accessibleDescription = (props: ComponentProps): string => accessibility(props, 'description');

/** The checks of an input or a button. */
export const checksOf = (props: ComponentProps): readonly unknown[] =>
  listOf(rawProp(props, 'checks')).slice(0, MAX_CHECKS);

const MAX_CHECKS = 20;

/** The message of the first check that fails. Checks that cannot be evaluated here are left to the agent. */
export function problemOf(props: ComponentProps): string {
  for (const check of checksOf(props)) {
    const result = props.resolve(own(check, 'condition') ?? check);
    const failed = result === false || own(result, 'valid') === false;
    if (failed) return props.countedText(own(check, 'message') ?? own(result, 'message')) || ' ';
  }
  return '';
}
