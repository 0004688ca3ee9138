/**
 * All fields that an agent can fill besides text: names, titles, results and addresses. Each sink takes a text and
 * returns the data of a `response`, or a block of a stored conversation.
 */
import type { LLMAgentEventData, MessageInput } from '../../../src/index.ts';
import { EVIL, RUN } from './payload.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Block = NonNullable<MessageInput['blocks']>[number];

/** Field values that are neither Markdown nor HTML: they are shown literally. */
export const fieldPayloads: readonly string[] = [
  `<img src=x onerror=${RUN}>`,
  `"><script>${RUN}</script>`,
  `'"--><svg onload=${RUN}>`,
  `</summary></details></template><img src=x onerror=${RUN}>`,
  `" autofocus onfocus="${RUN}" x="`,
  `<style>*{display:none!important;background:url(${EVIL}/s)}</style>`,
  `[a](javascript:${RUN}) **b**`,
  `![a](${EVIL}/p.png)`,
  `javascript:${RUN}`,
  `${EVIL}/x`,
  'invoice\u202efdp.exe\u2066',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd\0',
  `{{constructor.constructor('${RUN}')()}} \${${RUN}}`,
  '\ud800 \uffff \u0000 \u2028',
  'a'.repeat(3000),
];

/** Addresses of unlisted hosts, and invalid addresses. */
export const addressPayloads: readonly string[] = [
  `javascript:${RUN}`,
  ` java\nscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `data:image/svg+xml,<svg onload=${RUN}>`,
  'data:image/png;base64,PHN2ZyBvbmxvYWQ9YXR0YWNrZWQoKT4=',
  `vbscript:${RUN}`,
  `${EVIL}/a.png`,
  '//evil.example/a.png',
  'https:evil.example/a.png',
  '\\\\evil.example\\a.png',
  'http://127.0.0.1:1/a.png',
  'https://name:secret@evil.example/a.png',
  '/logout',
  'logout',
  '?logout=1',
  '#logout',
  '',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'ftp://evil.example/a.png',
  'wss://evil.example/a',
  'view-source:https://evil.example/',
  'intent://evil.example#Intent;scheme=http;end',
];

export interface Sink {
  readonly name: string;
  /** For the agent's server or the page: it is shown nowhere. */
  readonly unseen?: boolean;
  readonly say: (text: string, id: string) => readonly Data[];
}
export interface KeptSink {
  readonly name: string;
  readonly unseen?: boolean;
  readonly block: (text: string) => Block;
}

const call = (id: string, data: Data): readonly Data[] => [
  { tool_call: 'start', tool_call_id: id, tool_call_name: 'look', tool_call_params: '{"a":1}', ...data },
  { tool_call: 'end', tool_call_id: id, tool_call_response: 'done', ...data },
];
const ask = (id: string, data: Partial<NonNullable<Data['permission_request']>>, more: Data = {}): readonly Data[] => [
  {
    tool_call: 'permission-required',
    tool_call_id: id,
    tool_call_params: '{"a":1}',
    permission_request: { toolName: 'look', serverName: '', permissionType: 'read', description: '', ...data },
    ...more,
  },
  { tool_call: 'permission-denied', tool_call_id: id },
];
const asking = (data: Omit<NonNullable<Data['ask']>, 'action_type'>): readonly Data[] => [
  { ask: { action_type: 'question', ...data } },
];

/** Texts in a stream, each in its event. */
export const fieldSinks: readonly Sink[] = [
  { name: 'toolname', say: (text, id) => call(id, { tool_call_name: text }) },
  { name: 'toolarguments', say: (text, id) => call(id, { tool_call_params: JSON.stringify({ [text]: text }) }) },
  { name: 'toolpieces', say: (text, id) => call(id, { tool_call_params: `{"a":"${text}` }) },
  { name: 'toolresult', say: (text, id) => call(id, { tool_call_response: text }) },
  { name: 'toolresultjson', say: (text, id) => call(id, { tool_call_response: JSON.stringify([{ [text]: [text] }]) }) },
  {
    name: 'toolresultlist',
    say: (text, id) => call(id, { tool_call_response: [{ type: 'text', text }, { type: text }] }),
  },
  { name: 'tooldescription', say: (text, id) => call(id, { tool_call_description: text }) },
  { name: 'toolsummary', say: (text, id) => call(id, { tool_call_summary: text }) },
  {
    name: 'toolerror',
    say: (text, id) => [
      { tool_call: 'error', tool_call_id: id, tool_call_name: 'look', tool_call_error: { message: text, code: text } },
    ],
  },
  {
    // It is removed when the call has ended.
    name: 'toolprogress',
    unseen: true,
    say: (text, id) => [
      {
        tool_call: 'start',
        tool_call_id: id,
        tool_call_name: 'look',
        tool_call_progress: { value: 9e99, message: text },
      },
    ],
  },
  { name: 'toolserver', unseen: true, say: (text, id) => call(id, { tool_call_server_name: text }) },
  { name: 'toolicons', unseen: true, say: (text, id) => call(id, { tool_call_server_icons: text }) },
  { name: 'toolid', unseen: true, say: (text) => call(text, {}) },
  { name: 'permissiontool', say: (text, id) => ask(id, { toolName: text }) },
  { name: 'permissionserver', unseen: true, say: (text, id) => ask(id, { serverName: text }) },
  { name: 'permissionreason', unseen: true, say: (text, id) => ask(id, { description: text }) },
  { name: 'permissionarguments', unseen: true, say: (text, id) => ask(id, {}, { tool_call_params: text }) },
  { name: 'question', say: (text) => asking({ content: text }) },
  { name: 'option', say: (text) => asking({ options: [{ label: text, value: text, description: text }] }) },
  { name: 'questionschema', unseen: true, say: (text) => asking({ schema: { [text]: text } }) },
  { name: 'phasename', unseen: true, say: (text) => [{ phase: { name: text } }] },
  { name: 'phasemessage', unseen: true, say: (text) => [{ phase: { name: 'thinking', message: text } }] },
  { name: 'stage', unseen: true, say: (text) => [{ reasoning_content: 'x', stage: text }] },
  { name: 'agentname', say: (text, id) => [{ message: { id, name: text } }, { content: 'x' }] },
  { name: 'messageid', unseen: true, say: (text) => [{ message: { id: text } }, { content: 'x' }] },
  { name: 'plaintext', say: (text) => [{ content: text, format: 'text', content_begins: true }] },
  {
    name: 'citationtitle',
    say: (text, id) => [{ content: 'x', content_begins: true }, { citation: { id, title: text, quote: text } }],
  },
  { name: 'citationid', say: (text) => [{ content: 'x', content_begins: true }, { citation: { id: text } }] },
  { name: 'imagename', say: (text) => [{ media: { kind: 'image', url: `${EVIL}/i.png`, name: text } }] },
  { name: 'audioname', say: (text) => [{ media: { kind: 'audio', url: `${EVIL}/i.mp3`, name: text } }] },
  { name: 'videoname', say: (text) => [{ media: { kind: 'video', url: `${EVIL}/i.mp4`, name: text } }] },
  { name: 'filename', say: (text) => [{ media: { kind: 'file', url: `${EVIL}/i.pdf`, name: text } }] },
  {
    name: 'filetype',
    unseen: true,
    say: (text) => [{ media: { kind: 'file', url: `${EVIL}/i`, name: 'x', mimeType: text } }],
  },
  { name: 'inlinefile', say: (text) => [{ media: { kind: 'file', data: 'eA==', name: text, mimeType: text } }] },
  {
    name: 'inlinesound',
    unseen: true,
    say: (text) => [{ media: { kind: 'audio', data: 'eA==', mimeType: text } }],
  },
  {
    name: 'inlinepicture',
    unseen: true,
    say: (text) => [{ media: { kind: 'image', data: 'eA==', mimeType: text } }],
  },
  {
    name: 'tablecell',
    say: (text) => [{ data: { data_type: 'dataframe', data: { name: 'x', columns: ['x'], rows: [[text]] } } }],
  },
  {
    name: 'tablecolumn',
    say: (text) => [{ data: { data_type: 'dataframe', data: { name: text, columns: [text], rows: [{ [text]: 1 }] } } }],
  },
  {
    name: 'tablecaption',
    say: (text) => [
      {
        data: {
          data_type: 'dataframe',
          data: { columns: ['x'], rows: [[1]] },
          metadata: { description: text, [text]: text },
        },
      },
    ],
  },
  {
    name: 'chart',
    say: (text) => [
      {
        data: {
          data_type: 'chart',
          data: { name: text, type: 'bar', labels: [text, 'x'], series: [{ name: text, data: [1, 2] }] },
        },
      },
    ],
  },
  {
    name: 'charttype',
    unseen: true,
    say: (text) => [{ data: { data_type: 'chart', data: { type: text, labels: ['x'], series: [{ data: [1] }] } } }],
  },
  {
    name: 'customdata',
    say: (text) => [{ data: { data_type: 'custom', data: { [text]: [text, { [text]: text }] } } }],
  },
  { name: 'dataid', unseen: true, say: (text) => [{ data_id: text, data: { data_type: 'custom', data: { a: 1 } } }] },
  { name: 'plan', say: (text) => [{ plan: [{ title: text, state: 'active' }] }] },
  {
    name: 'ratelimit',
    unseen: true,
    say: (text) => [
      { rate_limit: { providerId: text, qpsLimit: 1, currentQps: 1, queueLength: 1, estimatedWaitTime: 1 } },
    ],
  },
  { name: 'uikind', unseen: true, say: (text) => [{ ui: { kind: text, url: text, html: text } }] },
  {
    name: 'surface',
    say: (text) => [
      {
        ui: {
          kind: 'a2ui',
          messages: [
            {
              version: 'v1.0',
              createSurface: {
                surfaceId: text,
                dataModel: { [text]: text },
                components: [
                  { id: 'root', component: 'Column', children: ['a', 'b', 'c', 'd', 'e', 'f'] },
                  { id: 'a', component: 'Text', text },
                  { id: 'b', component: 'TextField', label: text, value: { path: `/${text}` } },
                  { id: 'c', component: 'Icon', name: text },
                  { id: 'd', component: text, child: 'a', [text]: text },
                  {
                    id: 'e',
                    component: 'Button',
                    child: 'a',
                    action: { event: { name: text, context: { [text]: text } } },
                  },
                  { id: 'f', component: 'ChoicePicker', label: text, options: [{ label: text, value: text }] },
                ],
              },
            },
          ],
        },
      },
    ],
  },
  { name: 'app', unseen: true, say: (text) => [{ ui: { kind: 'mcp-app', uri: text, mimeType: 'text/html', text } }] },
  {
    name: 'state',
    unseen: true,
    say: (text) => [
      { state: { value: JSON.parse('{"__proto__": {"polluted": 1}}') as unknown }, metadata: { [text]: text } },
    ],
  },
];

/** Addresses in a stream. The tests check that none of them is requested, not how they are shown. */
export const addressSinks: readonly Sink[] = [
  {
    name: 'citation',
    say: (url, id) => [
      { content: 'x', content_begins: true },
      { citation: { id, url, title: 'x', extra: { favicon: url, icon: url, image: url } } },
    ],
  },
  { name: 'image', say: (url) => [{ media: { kind: 'image', url } }] },
  { name: 'audio', say: (url) => [{ media: { kind: 'audio', url } }] },
  { name: 'video', say: (url) => [{ media: { kind: 'video', url } }] },
  { name: 'file', say: (url) => [{ media: { kind: 'file', url, name: 'x' } }] },
  { name: 'imagedata', say: (url) => [{ image_data: { data: url, mimeType: 'image/png' } }] },
  { name: 'datapicture', say: (url) => [{ data: { data_type: 'image', data: { url, name: 'x' } } }] },
  { name: 'datapicturebytes', say: (url) => [{ data: { data_type: 'image', data: { data: url, mimeType: url } } }] },
  { name: 'toolicons', say: (url, id) => call(id, { tool_call_server_icons: url, tool_call_response: url }) },
  {
    name: 'surface',
    say: (url) => [
      {
        ui: {
          kind: 'a2ui',
          messages: [
            {
              version: 'v1.0',
              createSurface: {
                surfaceId: 's',
                theme: { iconUrl: url, primaryColor: `url(${url})`, font: url },
                components: [
                  { id: 'root', component: 'Column', children: ['a', 'b', 'c', 'd', 'e'] },
                  { id: 'a', component: 'Image', url, description: 'x' },
                  { id: 'b', component: 'Video', url },
                  { id: 'c', component: 'AudioPlayer', url },
                  {
                    id: 'd',
                    component: 'Button',
                    child: 'e',
                    action: { functionCall: { call: 'openUrl', args: { url } } },
                  },
                  { id: 'e', component: 'Text', text: `![x](${url}) [y](${url}) <img src="${url}">` },
                ],
              },
            },
          ],
        },
      },
    ],
  },
  {
    name: 'app',
    say: (uri) => [{ ui: { kind: 'mcp-app', uri, mimeType: 'text/html', text: `<img src="${uri}">`, csp: [uri] } }],
  },
  { name: 'markdown', say: (url) => [{ content: `![x](<${url}>) [y](<${url}>) <${url}>`, content_begins: true }] },
  {
    name: 'html',
    say: (url) => [{ content: `<img src="${url}"><a href="${url}">x</a>`, format: 'html', content_begins: true }],
  },
];

/** Blocks of a stored conversation or of another server that no event above makes. */
export const keptSinks: readonly KeptSink[] = [
  { name: 'error', block: (content) => ({ type: 'error', status: 'error', content }) },
  {
    name: 'errorcode',
    block: (code) => ({
      type: 'error',
      status: 'error',
      content: 'x',
      extra: { code, reason: code, error_type: code },
    }),
  },
  { name: 'search', block: (content) => ({ type: 'search', status: 'success', content }) },
  {
    name: 'searchresult',
    block: (title) => ({
      type: 'search',
      content: 'x',
      extra: { total: 1, pages: [{ title, content: title, url: `${EVIL}/s`, icon: title, favicon: title }] },
    }),
  },
  { name: 'codelanguage', unseen: true, block: (language) => ({ type: 'code', code: { language, content: 'x' } }) },
  {
    name: 'code',
    block: (content) => ({ type: 'code', code: { language: 'html', content, output: content, error: content } }),
  },
  { name: 'codefile', block: (filename) => ({ type: 'code', code: { language: 'js', content: 'x', filename } }) },
  {
    name: 'command',
    block: (output) => ({ type: 'command_result', commandResult: { success: false, output, error: output } }),
  },
  { name: 'progress', block: (message) => ({ type: 'progress', progress: { current: 1, total: 0, message } }) },
  { name: 'status', unseen: true, block: (phase) => ({ type: 'status', phase, message: phase }) },
  {
    name: 'artifacttitle',
    block: (title) => ({ type: 'content', content: title, artifact: { identifier: title, title, type: 'text/html' } }),
  },
  {
    name: 'artifactlanguage',
    unseen: true,
    block: (language) => ({
      type: 'artifact-thinking',
      content: language,
      artifact: { identifier: 'x', title: 'x', type: 'application/vnd.ant.code', language },
    }),
  },
  {
    name: 'artifactdrawing',
    unseen: true,
    block: (content) => ({
      type: 'content',
      content,
      artifact: { identifier: 'x', title: 'x', type: 'image/svg+xml' },
    }),
  },
  {
    name: 'refusal',
    unseen: true,
    block: (reason) => ({ type: 'image', status: 'error', extra: { reason, url: reason } }),
  },
  {
    name: 'filecontent',
    unseen: true,
    block: (content) => ({ type: 'file', name: 'x', file: { name: content, content, mimeType: content } }),
  },
  { name: 'odd', unseen: true, block: (type) => ({ type, content: type, [type]: type }) as unknown as Block },
];
