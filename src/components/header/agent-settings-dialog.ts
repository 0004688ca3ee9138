/** The settings of an agent in the page, as a form of its JSON Schema (`getConfigurationSchema()`). */
import '../../locales/english/all-english.ts';
import { html, render } from 'lit';
import { configurationOf, isConfigured, configurationSchemaOf, configureAgent } from '../../agents/configuration.ts';
import type { Localize } from '../../locales/localize.ts';
import type { BaseAgent } from '../../model/agent.ts';
import { isRecord } from '../../model/json.ts';
import { icon } from '../../primitives/icon.ts';
import { formControl } from '../../renderers/forms/form-control.ts';
import { answerOf, initialOf, keyOf, problemOf, type FormValues } from '../../renderers/forms/form-values.ts';
import { fieldsOf, type FormField } from '../../renderers/forms/schema-to-fields.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { blockStyles } from '../../renderers/core/block-styles.ts';
import { messageStyles } from '../message/styles/message-styles.ts';
import { createDialog } from '../ui/dialog.ts';
import sheetText from './agent-settings-dialog.css?inline';

const style = createStylesheet(sheetText);

/** The fields of the agent's settings; empty if the agent has no settings. */
export const settingFields = (agent: BaseAgent): readonly FormField[] =>
  fieldsOf(configurationSchemaOf(agent)).filter(({ path, kind }) => path.length > 0 && kind !== 'secret');

export function openAgentSettings(root: Node & ParentNode, agent: BaseAgent, localize: Localize): void {
  if (root.querySelector('.agent-settings')) return;
  const chosen = configurationOf(agent);
  const fields = settingFields(agent).map((field) =>
    isConfigured(agent, keyOf(field)) ? { ...field, initial: valueAt(chosen, field) } : field,
  );
  let values: FormValues = Object.fromEntries(fields.map((field) => [keyOf(field), initialOf(field)]));
  /** Problems are shown once the user has tried to save. */
  let showsProblems = false;
  const dialog = createDialog(root, 'agent-settings', 'agent-settings-title');
  const close = (): void => {
    dialog.close();
  };
  const problem = (field: FormField) => problemOf(field, values[keyOf(field)] ?? {});
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    showsProblems = true;
    draw();
    if (fields.some(problem)) {
      dialog.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const answer = answerOf(fields, values);
    configureAgent(agent, isRecord(answer) ? answer : {}, fields.map(keyOf));
    close();
  };
  const draw = (): void => {
    render(
      html`<header>
          <h2 id="agent-settings-title" dir="auto">${localize('agent.settings', { agent: agent.name })}</h2>
          <button type="button" class="icon-button" aria-label=${localize('keys.close')} @click=${close}>
            ${icon('close')}
          </button>
        </header>
        <form class="ask" novalidate autocomplete="off" @submit=${save}>
          ${fields.map((field, index) =>
            formControl({
              field,
              value: values[keyOf(field)] ?? {},
              id: `agent-setting-${String(index)}`,
              localize,
              problem: showsProblems ? problem(field) : undefined,
              change: (next) => {
                values = { ...values, [keyOf(field)]: { ...values[keyOf(field)], ...next } };
                draw();
              },
            }),
          )}
          <div class="actions">
            <button class="button primary" type="submit">${localize('threads.save')}</button>
          </div>
        </form>`,
      dialog,
    );
  };
  // `<agent-chat>` must not handle keys that are pressed in the dialog.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  draw();
  root.append(dialog);
  for (const sheet of [...messageStyles, blockStyles, style]) adoptStylesheet(dialog, sheet);
  dialog.showModal();
}

const valueAt = (values: unknown, { path }: FormField): unknown =>
  path.reduce<unknown>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    values,
  );
