import { adapter as agno } from '../../../src/protocols/agno/agno.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { completed, event, known, named, say, stream, tool } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: known,
  ...more,
  blocks,
});
const waiting = (
  blocks: readonly ExpectedFields[],
  field: string,
  items: readonly object[],
  more: ExpectedFields = {},
): ExpectedFields => done(blocks, { finish: 'tool_use', metadata: { ...known, paused: { field, items } }, ...more });
const toolToConfirm = tool({ requires_confirmation: true });
const team = (name: string, more: object = {}): object => ({
  created_at: 1,
  event: `Team${name}`,
  team_id: 'desk',
  team_name: 'Desk',
  run_id: 't',
  session_id: 's',
  ...more,
});
const member = (name: string, more: object = {}): object => event(name, { run_id: 'm', parent_run_id: 't', ...more });
const delegation = {
  tool_call_id: 'd',
  tool_name: 'delegate_task_to_member',
  tool_args: { member_id: 'guide', task: 'Rome' },
};

describe('agno', () => {
  testRecordings(agno, 'agno');

  testBodies(agno, [
    {
      name: 'text, reasoning and tokens; the end repeats the text',
      body: stream(
        event('ReasoningStarted'),
        event('ReasoningContentDelta', { reasoning_content: 'Hm' }),
        event('ReasoningStep', { content: { title: 'Hm' }, reasoning_content: 'Hm' }),
        event('ReasoningCompleted'),
        say('Hel'),
        say('lo'),
        event('RunContentCompleted'),
        completed({ content: 'Hello', metrics: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } }),
      ),
      messages: [
        done([thought('Hm'), text('Hello')], {
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        }),
      ],
    },
    {
      name: 'an agent that reasons in steps',
      body: stream(
        event('ReasoningStarted'),
        event('ReasoningStep', { content: { title: 'Look', reasoning: 'Where?', action: 'I will look' } }),
        say('Here'),
        completed({ content: 'Here' }),
      ),
      messages: [done([thought('**Look**\n\nWhere?\n\nI will look\n\n'), text('Here')])],
    },
    {
      name: 'a tool call and its result',
      body: stream(
        event('ToolCallStarted', { tool: tool() }),
        event('ToolCallCompleted', { tool: tool({ result: '20 degrees' }), content: 'weather() completed in 0.1s.' }),
        say('20°'),
        completed(),
      ),
      messages: [
        done([
          call('c', 'weather', { params: '{"city":"Rome"}', response: '20 degrees' }, { extra: { remote: true } }),
          text('20°'),
        ]),
      ],
    },
    {
      name: 'a tool call that fails',
      body: stream(
        event('ToolCallStarted', { tool: tool() }),
        event('ToolCallError', { tool: tool({ tool_call_error: true }), error: 'No sky' }),
        say('Sorry'),
        completed(),
      ),
      messages: [
        done([
          call(
            'c',
            'weather',
            { params: '{"city":"Rome"}', response: 'No sky' },
            { status: 'error', extra: { remote: true } },
          ),
          text('Sorry'),
        ]),
      ],
    },
    {
      name: 'a call that needs a confirmation pauses the run',
      body: stream(event('RunPaused', { tools: [toolToConfirm] })),
      messages: [
        waiting(
          [
            call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading', extra: { remote: true } }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: { id: 'c', name: 'weather', params: '{"city":"Rome"}' },
              extra: { editable: true, requestId: 'c', toolName: 'weather', serverName: '', permissionType: 'all' },
            },
          ],
          'tools',
          [toolToConfirm],
          { status: 'streaming' },
        ),
      ],
    },
    {
      name: 'a call that the page runs',
      body: stream(event('RunPaused', { tools: [tool({ external_execution_required: true })] })),
      messages: [
        waiting([call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading' })], 'tools', [
          tool({ external_execution_required: true }),
        ]),
      ],
    },
    {
      name: 'a structured output is data',
      body: stream(say({ city: 'Rome' }, { content_type: 'City' }), completed({ content: { city: 'Rome' } })),
      messages: [
        done([{ type: 'data', data: { data_type: 'custom', data: { city: 'Rome' }, metadata: { dataType: 'City' } } }]),
      ],
    },
    {
      name: 'sources, an image and suggestions, each once',
      body: stream(
        say('Here', { citations: { urls: [{ url: 'https://b.example/rome', title: 'Rome' }] } }),
        say(null, { image: { id: 'i', content: btoa('x'), mime_type: 'image/png' } }),
        event('FollowupsCompleted', { followups: ['And Milan?'] }),
        completed({
          content: 'Here',
          images: [{ id: 'i', content: btoa('x'), mime_type: 'image/png' }],
          citations: { urls: [{ url: 'https://b.example/rome', title: 'Rome' }] },
        }),
      ),
      messages: [
        done(
          [
            text('Here', {
              citations: [{ id: 'https://b.example/rome', url: 'https://b.example/rome', title: 'Rome' }],
            }),
            { type: 'image', image_data: { data: btoa('x'), mimeType: 'image/png' } },
          ],
          { suggestions: [{ label: 'And Milan?', prompt: 'And Milan?' }] },
        ),
      ],
    },
    {
      name: 'a member of a team, in the call that delegated to it',
      body: named(
        team('RunStarted'),
        team('ToolCallStarted', { tool: delegation }),
        member('RunStarted'),
        member('RunContent', { content: 'The Forum.' }),
        member('RunCompleted', { content: 'The Forum.' }),
        team('ToolCallCompleted', { tool: { ...delegation, result: 'The Forum.' } }),
        team('RunContent', { content: 'See the Forum.' }),
        team('RunCompleted', { content: 'See the Forum.' }),
      ),
      messages: [
        done(
          [
            call(
              'd',
              'delegate_task_to_member',
              { params: '{"member_id":"guide","task":"Rome"}', response: 'The Forum.' },
              { extra: { remote: true, agent: 'Guide' } },
            ),
            text('The Forum.', { parentId: 'b1' }),
            text('See the Forum.'),
          ],
          { metadata: { runId: 't', sessionId: 's' } },
        ),
      ],
    },
    {
      name: 'a member of a team after the end of a call whose start was not sent, beside the call',
      body: named(
        team('RunStarted'),
        team('ToolCallCompleted', { tool: { ...delegation, result: 'The Forum.' } }),
        member('RunStarted'),
        member('RunContent', { content: 'See it.' }),
        member('RunCompleted', { content: 'See it.' }),
        team('RunCompleted', { content: '' }),
      ),
      messages: [
        done(
          [
            call(
              'd',
              'delegate_task_to_member',
              { params: '{"member_id":"guide","task":"Rome"}', response: 'The Forum.' },
              { extra: { remote: true } },
            ),
          ],
          { metadata: { runId: 't', sessionId: 's' } },
        ),
        done([text('See it.')], { name: 'Guide', metadata: { messageId: 'm' } }),
      ],
    },
    {
      name: 'an error ends it',
      body: stream(say('Ha'), event('RunError', { content: 'Boom', error_id: 'model_provider_error' })),
      messages: [
        done([text('Ha'), failure('Boom', { code: 'model_provider_error' })], { status: 'error', finish: 'error' }),
      ],
    },
    {
      name: 'a document of a run that has only begun in the background',
      body: JSON.stringify({ run_id: 'r', session_id: 's', content: null, status: 'PENDING' }),
      messages: [
        done([failure('The agent runs in the background without a stream: set `stream` to true in `body`.')], {
          status: 'error',
          finish: 'error',
        }),
      ],
    },
    {
      name: 'a document of a run that has failed',
      body: JSON.stringify({ run_id: 'r', session_id: 's', content: 'Boom', status: 'ERROR' }),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a document of a workflow that waits',
      body: JSON.stringify({ run_id: 'r', session_id: 's', workflow_id: 'w', content: null, status: 'PAUSED' }),
      messages: [
        done([failure('A step of the workflow waits for an answer, which is not possible in this chat.')], {
          status: 'error',
          finish: 'error',
        }),
      ],
    },
    {
      name: 'a document of a run that was cancelled',
      body: JSON.stringify({ run_id: 'r', session_id: 's', content: 'Ha', status: 'CANCELLED' }),
      messages: [done([text('Ha')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'a run that was cancelled',
      body: stream(say('Ha'), event('RunCancelled', { reason: 'Run r was cancelled' })),
      messages: [done([text('Ha')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'a workflow of steps',
      body: named(
        event('WorkflowStarted'),
        event('StepStarted', { step_name: 'look', step_id: 'x' }),
        say('Ha'),
        event('StepCompleted', { step_name: 'look', step_id: 'x', content: 'Ha' }),
        event('WorkflowCompleted', { content: 'Ha' }),
      ),
      messages: [
        done([
          { type: 'status', phase: 'look', message: 'look', extra: { steps: [{ phase: 'look', message: 'look' }] } },
          text('Ha'),
        ]),
      ],
    },
    {
      name: 'a step that streams nothing, after one that does',
      body: named(
        event('WorkflowStarted'),
        event('StepStarted'),
        say('Notes.', { workflow_run_id: 'w' }),
        event('StepCompleted', { content: 'Notes.' }),
        event('StepStarted'),
        event('StepCompleted', { content: 'The final report.' }),
        event('WorkflowCompleted', { content: 'The final report.' }),
      ),
      messages: [done([text('Notes.'), text('The final report.')])],
    },
    {
      name: 'a silent last step whose result only the end of the workflow has',
      body: named(
        event('WorkflowStarted'),
        event('StepStarted'),
        say('Notes.'),
        event('StepCompleted'),
        event('StepStarted'),
        event('StepCompleted'),
        event('WorkflowCompleted', { content: 'The final report.' }),
      ),
      messages: [done([text('Notes.'), text('The final report.')])],
    },
    {
      name: 'parallel steps, whose results repeat their texts',
      body: named(
        event('WorkflowStarted'),
        event('StepStarted', { step_id: 'a' }),
        event('StepStarted', { step_id: 'b' }),
        say('A', { step_id: 'a' }),
        event('StepCompleted', { step_id: 'a', content: 'A' }),
        event('StepCompleted', { step_id: 'b', content: 'B' }),
        event('WorkflowCompleted', { content: 'A B' }),
      ),
      messages: [done([text('A'), text('B')])],
    },
    ...['RunPaused', 'StepPaused'].map((pause) => ({
      name: `an agent in a workflow that waits: ${pause}`,
      body: named(
        event('WorkflowStarted', { workflow_run_id: 'w' }),
        event(pause, { workflow_run_id: 'w', tools: [toolToConfirm] }),
      ),
      messages: [
        done([failure('A step of the workflow waits for an answer, which is not possible in this chat.')], {
          status: 'error',
          finish: 'error',
          metadata: { ...known, runId: 'w' },
        }),
      ],
    })),
    {
      name: 'a workflow that was cancelled',
      body: named(event('WorkflowStarted'), say('Ha'), event('WorkflowCancelled', { reason: 'x' })),
      messages: [done([text('Ha')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'a server that sends only the content',
      body: named(say('Hel'), say('lo')),
      messages: [done([text('Hello')])],
    },
    {
      name: 'no end: interrupted',
      body: stream(say('Ha')),
      messages: [done([text('Ha')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'a resumed run, with the server’s notices',
      body: named(
        { event: 'catch_up', run_id: 'r', status: 'running', missed_events: 2 },
        event('RunStarted', { event_index: 0 }),
        say('Hi', { event_index: 1 }),
        { event: 'subscribed', run_id: 'r', status: 'running' },
        completed({ event_index: 2 }),
      ),
      messages: [done([text('Hi')], { metadata: { ...known, resumable: true } })],
    },
    {
      name: 'a complete response without streaming',
      body: JSON.stringify({
        run_id: 'r',
        session_id: 's',
        agent_id: 'guide',
        content: 'Hello',
        content_type: 'str',
        status: 'COMPLETED',
        created_at: 1,
      }),
      messages: [done([text('Hello')])],
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: `${stream(say('a'), event('Dream'))}data: {"event"\n\n${sse(completed())}`,
      messages: [done([text('a')])],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  testNeverThrows(agno, [
    say('x'),
    say({ a: 1 }),
    event('ReasoningStep', { content: { title: 'x' } }),
    event('ReasoningContentDelta', { reasoning_content: 'x' }),
    event('ToolCallStarted', { tool: tool() }),
    event('ToolCallCompleted', { tool: tool({ result: 'x' }), images: [{ id: 'i', url: 'u' }] }),
    event('ToolCallError', { tool: tool(), error: 'x' }),
    event('RunPaused', { tools: [toolToConfirm, tool({ user_input_schema: [{ name: 'a', field_type: 'int' }] })] }),
    team('RunPaused', { requirements: [{ id: 'q', tool_execution: toolToConfirm }] }),
    team('TaskStateUpdated', { tasks: [{ title: 'x', status: 'pending' }] }),
    member('RunContent', { content: 'x' }),
    event('CustomEvent', { city: 'Rome' }),
    event('RunError', { content: 'x' }),
    completed({ references: [{ query: 'q', references: [{ name: 'x', content: 'y' }] }], metrics: {} }),
  ]);

  testDetection('agno', {
    own: {
      'a stream': stream(say('Hi'), completed()),
      'its first text alone': named(say('Hi')),
      'a team': named(team('RunStarted')),
      'a complete response': JSON.stringify({
        run_id: 'r',
        agent_id: 'guide',
        content: 'Hello',
        content_type: 'str',
        status: 'COMPLETED',
        created_at: 1,
      }),
    },
    others: {
      'events of another server with the same name': [
        sse({ event: 'RunContent', content: 'Hel' }, { event: 'RunContent', content: 'lo' }),
        'json-stream',
      ],
    },
    urls: ['https://a.example/agents/guide/runs', 'https://a.example/api/teams/desk/runs/'],
    otherUrls: ['https://a.example/agents/guide', 'https://a.example/threads/t/runs'],
  });
});
