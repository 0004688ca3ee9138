/** The common parts of all inputs of a surface: a label, a mark if they are required, and an error. */
import { html, nothing, type TemplateResult } from 'lit';
import { withoutInvisible } from '../../../safety/urls.ts';
import type { InputNode } from '../read/walk-tree.ts';
import type { SurfaceHost } from './surface-host.ts';

/** An error is shown once the user has left a changed input. */
export function problem(node: InputNode, host: SurfaceHost): { readonly isInvalid: boolean; readonly note: unknown } {
  const isInvalid = node.problem !== '' && host.touched(node);
  const message = problemText(node.problem, node.required, host);
  return {
    isInvalid,
    note: isInvalid ? html`<span class="ui-problem" id=${`${host.idOf(node)}-note`}>${message}</span>` : nothing,
  };
}

/** The message of a failed check; the agent may have sent none. */
export const problemText = (problem: string, isRequired: boolean, { context }: SurfaceHost): string =>
  withoutInvisible(problem).trim() || context.settings.localize(isRequired ? 'ask.wrong.required' : 'ui.invalid');

export const valueOf = (event: Event): string => (event.currentTarget as HTMLInputElement).value;
/** The label or accessible name; the id of a component is not a text for users. */
export const nameOf = (node: InputNode): string =>
  withoutInvisible(node.label || node.ariaName || ('placeholder' in node ? node.placeholder : ''));
/** Visible only; assistive technology reads `aria-required`. */
export const mark = (node: InputNode): unknown =>
  node.required ? html`<span class="ui-required" aria-hidden="true"> *</span>` : nothing;
export const required = (node: InputNode): unknown => (node.required ? 'true' : nothing);
export const invalid = (node: InputNode, host: SurfaceHost): unknown =>
  problem(node, host).isInvalid ? 'true' : nothing;
export const described = (node: InputNode, host: SurfaceHost): unknown =>
  problem(node, host).isInvalid ? `${host.idOf(node)}-note` : nothing;
/** For an input without a visible label. */
export const ariaLabel = (node: InputNode): unknown => (node.label ? nothing : nameOf(node) || nothing);
export const ariaDescription = ({ ariaHint }: InputNode): unknown => withoutInvisible(ariaHint) || nothing;

/** A label above the input, and its error below. */
export function field(node: InputNode, host: SurfaceHost, control: TemplateResult): TemplateResult {
  return html`<div class="ui-field">
    ${
      node.label
        ? html`<label class="label" for=${host.idOf(node)} dir="auto"
            >${withoutInvisible(node.label)}${mark(node)}</label
          >`
        : nothing
    }
    ${control} ${problem(node, host).note}
  </div>`;
}
