/** Access to the properties of a component, and the helpers that all readers share. */
import { own } from './data-model.ts';
import type { NodeShape, UiNode } from './node-types.ts';

export interface ComponentProps {
  /** The raw property. */
  raw(name: string): unknown;
  /** The resolved current value. */
  value(name: string): unknown;
  resolve(something: unknown): unknown;
  /** The value as visible text, which counts against the budget. */
  countedText(something: unknown): string;
  text(name: string): string;
  number(name: string, fallback: number): number;
  oneOf<const Value extends string>(name: string, allowed: readonly Value[], fallback: Value): Value;
  child(name: string): UiNode | undefined;
  node(id: unknown, as: string): UiNode | undefined;
  children(name: string): readonly UiNode[];
  /** The value of an input, which the user may have changed. */
  entered(name: string): unknown;
  /** The data path that a property is bound to. */
  path(name: string): string | undefined;
  /** The data path that a value refers to. */
  pointer(reference: unknown): string | undefined;
}

export type Reader = (given: ComponentProps) => NodeShape;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
export const rawProp = (given: ComponentProps, name: string): unknown => given.raw(name) ?? given.raw(`@${name}`);

const accessibility = (given: ComponentProps, name: 'label' | 'description'): string =>
  given.countedText(given.resolve(own(rawProp(given, 'accessibility'), name)));

/** The accessible name, if the agent sent one. */
export const accessibleName = (given: ComponentProps): string => accessibility(given, 'label');
export const accessibleDescription = (given: ComponentProps): string => accessibility(given, 'description');

/** The message of the first check that fails. Checks that cannot be evaluated here are left to the agent. */
export function problemOf(given: ComponentProps): string {
  for (const check of listOf(rawProp(given, 'checks')).slice(0, 20)) {
    const result = given.resolve(own(check, 'condition') ?? check);
    const failed = result === false || own(result, 'valid') === false;
    if (failed) return given.countedText(own(check, 'message') ?? own(result, 'message')) || ' ';
  }
  return '';
}
