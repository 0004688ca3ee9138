import { html, type TemplateResult } from 'lit';
import type { RenderContext } from './renderer.ts';
import type { TableData } from './table-data.ts';
import { defineOnce } from '../primitives/define-once.ts';
import { AgentChatTable } from './table-element.ts';

// The one renderer element that comes with its chunk: a page that shows no table never loads it.
defineOnce('agent-chat-table', AgentChatTable);

/** A table that sorts, scrolls in itself and can be copied. */
export const tableView = (table: TableData, { settings }: RenderContext, caption: string): TemplateResult =>
  html`<agent-chat-table .table=${table} .caption=${caption} .localize=${settings.localize}></agent-chat-table>`;
