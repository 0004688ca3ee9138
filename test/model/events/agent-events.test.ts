import { expect } from '@open-wc/testing';
import { llmAgentEvent, llmAgentEventData, toolCallState } from '../../../src/model/events/agent-events.ts';
import { agentMessage, agentResponse } from '../../../src/model/agent-message.ts';
import { assistantMessageBlock, type BlockType } from '../../../src/model/blocks.ts';
import { chatMessage } from '../../../src/model/message.ts';

const permission = { toolName: 'rm', serverName: 'files', permissionType: 'write', description: 'Removes.' };

/** Every field that the source document lists, and every one that the contract adds. */
const everything = {
  eventId: 'e',
  content: 'a',
  reasoning_content: 'b',
  tool_call_id: 't',
  tool_call_name: 'f',
  tool_call_params: '{}',
  tool_call_response: [{ type: 'text', text: 'x' }],
  maximum_tool_calls_reached: true,
  tool_call_server_name: 's',
  tool_call_server_icons: 'i',
  tool_call_server_description: 'd',
  tool_call_response_raw: { any: 1 },
  tool_call: 'end',
  permission_request: permission,
  totalUsage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, context_length: 4 },
  image_data: { data: 'AA', mimeType: 'image/png' },
  rate_limit: { providerId: 'p', qpsLimit: 1, currentQps: 2, queueLength: 3, estimatedWaitTime: 4 },
  error: 'x',
  userStop: false,
  message: { id: 'm', role: 'assistant', name: 'n', replace: true },
  phase: { name: 'p', message: 'm' },
  format: 'text',
  stage: 'planning',
  citation: { id: 'c', anchor: 'quote' },
  data: { data_type: 'custom', data: 1, metadata: {} },
  tool_call_description: 'd',
  tool_call_progress: { value: 0.5, message: 'm' },
  tool_call_duration: 1,
  tool_call_summary: 's',
  tool_call_error: { message: 'm', code: 'c' },
  media: { kind: 'audio', url: 'https://a.example/x' },
  suggestions: [{ label: 'l', prompt: 'p' }],
  finish: 'complete',
};

describe('agent events', () => {
  it('keep every field of the vocabulary', () => {
    expect(llmAgentEventData.parse(everything)).to.deep.equal(everything);
  });

  it('drop any other', () => {
    expect(llmAgentEventData.parse({ eventId: 'e', foreign: 1, error_message: 'x' })).to.deep.equal({ eventId: 'e' });
  });

  const refused: readonly { readonly name: string; readonly event: object }[] = [
    { name: 'a response without eventId', event: { type: 'response', data: { content: 'a' } } },
    { name: 'another type', event: { type: 'chunk', data: { eventId: 'e' } } },
    { name: 'an error without words', event: { type: 'error', data: { eventId: 'e' } } },
    { name: 'content that is no string', event: { type: 'response', data: { eventId: 'e', content: 1 } } },
  ];
  for (const { name, event } of refused) {
    it(`refuse ${name}`, () => {
      expect(llmAgentEvent.safeParse(event).success).to.equal(false);
    });
  }

  for (const [sent, kept] of [
    ['read', 'read'],
    ['write', 'write'],
    ['all', 'all'],
    ['command', 'command'],
    ['something new', 'all'],
  ]) {
    it(`a permission of type "${sent ?? ''}" is asked for as "${kept ?? ''}"`, () => {
      const data = llmAgentEventData.parse({
        eventId: 'e',
        permission_request: { ...permission, permissionType: sent },
      });
      expect(data.permission_request?.permissionType).to.equal(kept);
    });
  }

  it('know the states of the document', () => {
    for (const state of ['start', 'running', 'end', 'error', 'update', 'permission-required'])
      expect(toolCallState.parse(state)).to.equal(state);
  });
});

const blocks: Readonly<Record<BlockType, object>> = {
  content: { content: 'a', format: 'html', citations: [{ id: 'c', start: 0, end: 1 }] },
  search: { content: 'a', extra: { total: 1, pages: [{ title: 't', url: 'https://a.example/' }] } },
  reasoning_content: { content: 'a', reasoning_time: { start: 1, end: 2 } },
  error: { content: 'a', extra: { code: 'c', recoverable: true } },
  tool_call: { tool_call: { id: 't' }, duration: 1, progress: { value: 1 }, error: { message: 'm' } },
  action: { action_type: 'question', tool_call: { id: 't' } },
  image: { image_data: { data: 'AA', mimeType: 'image/png' } },
  'artifact-thinking': { content: 'a', artifact: { identifier: 'i', title: 't', type: 'text/html' } },
  data: { data: { data_type: 'chart', data: {} } },
  audio: { url: 'https://a.example/x' },
  video: { data: 'AA', mimeType: 'video/mp4' },
  file: { name: 'x', file: { name: 'x', content: 'y', mimeType: 'text/plain' } },
  code: { code: { language: 'ts', content: 'x' } },
  command_result: { commandResult: { success: true, output: 'x' } },
  progress: { progress: { current: 1, total: 2, message: 'm' } },
  plan: { plan: [{ title: 't', state: 'active' }] },
  ui: { ui: {} },
  status: { phase: 'p', message: 'm' },
};

describe('blocks and messages', () => {
  for (const [type, fields] of Object.entries(blocks)) {
    const block = { id: 'b', type, status: 'success', timestamp: 1, ...fields };
    it(`a block of type ${type} keeps its fields and drops others`, () => {
      expect(assistantMessageBlock.parse({ ...block, foreign: 1 })).to.deep.equal(block);
    });
  }

  it('a tool_call block has a call, an action its kind', () => {
    for (const type of ['tool_call', 'action', 'tool_call_permission']) {
      expect(assistantMessageBlock.safeParse({ id: 'b', type, status: 'pending', timestamp: 1 }).success).to.equal(
        false,
      );
    }
  });

  it('a message without status is none', () => {
    expect(chatMessage.safeParse({ id: 'm', role: 'user', blocks: [], timestamp: 1 }).success).to.equal(false);
  });
});

describe('messages of agents in the page', () => {
  it('keep the fields of the document', () => {
    const content = {
      text: 'a',
      code: { language: 'ts', content: 'x', filename: 'x.ts' },
      data: { format: 'csv', content: 'a,b', schema: {} },
      command: { type: 'run', parameters: { a: 1 } },
      file: { name: 'x', content: 'y', mimeType: 'text/plain' },
      image: { data: 'AA', mimeType: 'image/png', metadata: {} },
      structured: { type: 'stock_query', data: {} },
    };
    const message = { id: 'm', type: 'text', role: 'user', agentId: 'a', content, metadata: {}, timestamp: 1 };
    expect(agentMessage.parse({ ...message, foreign: 1 })).to.deep.equal(message);
  });

  it('and so do the answers', () => {
    const content = {
      text: 'a',
      code: { language: 'ts', content: 'x', output: 'o', error: 'e' },
      data: { format: 'json', content: '{}', visualization: { type: 'bar' } },
      commandResult: { success: false, output: 'o', error: 'e', exitCode: 1 },
      error: { code: 'c', message: 'm', details: {} },
      progress: { current: 1, total: 2, message: 'm' },
      confirmation: { type: 'action', message: 'm', options: ['yes'] },
    };
    const response = {
      id: 'r',
      messageId: 'm',
      agentId: 'a',
      type: 'text',
      content,
      metadata: {},
      status: 'complete',
      timestamp: 1,
    };
    expect(agentResponse.parse({ ...response, foreign: 1 })).to.deep.equal(response);
  });
});
