import { html, type TemplateResult } from 'lit';
import type { RenderContext } from '../core/renderer.ts';
import type { TableData } from './parse-table.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatTable } from './table-element.ts';

// This chunk defines its own element, so pages without tables never load it.
defineOnce('agent-chat-table', AgentChatTable);

/** A sortable, scrollable table that can be copied. */
export const tableView = (table: TableData, { settings }: RenderContext, caption: string): TemplateResult =>
  html`<agent-chat-table .table=${table} .caption=${caption} .localize=${settings.localize}></agent-chat-table>`;
