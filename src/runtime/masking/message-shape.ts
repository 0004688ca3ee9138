/**
 * The fields of a message that are not text, by their position in the schema of `model/`. `id`, `type` and similar
 * names are structural only there. In a table, a tool result or the page's metadata the same names are content, and are
 * redacted.
 */

/**
 * `fixed`: a value of the model (id, enumeration, number) that stays unchanged. `number`: a time or a count of the model; in its
 * place, a text is content. `bytes`: base64 data. `text`: content. An object describes its fields by name; in a list, each item has
 * this shape. `free`: an object with any field names, of which `names` belong to the model, and `numbers` have another shape.
 */
export type Shape = 'fixed' | 'number' | 'bytes' | 'text' | Fields | FreeFields;
export interface Fields {
  readonly fields: Readonly<Record<string, Shape>>;
}
export interface FreeFields {
  readonly names: ReadonlySet<string>;
  readonly numbers: Fields['fields'];
}

/** @param numbers - the names of the numbers, or shapes of objects with some */
const free = (names: string, numbers: string, inner: Fields['fields'] = {}): FreeFields => ({
  names: new Set(names.split(' ')),
  numbers: { ...Object.fromEntries(numbers.split(' ').map((name) => [name, 'number'])), ...inner },
});
export const content: Shape = { names: new Set(), numbers: {} };

function fields(shapes: Partial<Readonly<Record<'fixed' | 'text', string>>>, inner: Fields['fields'] = {}): Fields {
  const all = (['fixed', 'text'] as const).flatMap((shape) =>
    (shapes[shape] ?? '').split(' ').flatMap((name) => (name === '' ? [] : [[name, shape] as const])),
  );
  return { fields: { ...Object.fromEntries(all), ...inner } };
}

const toolCall = fields({
  fixed: 'id',
  text: 'name params response server_name server_icons server_description',
});

/**
 * All block types together: a field has the same meaning in all of them. Exception: `data`, which is bytes or an
 * object.
 */
const block = fields(
  { fixed: 'id type status timestamp parentId format action_type mimeType size duration', text: 'content url name' },
  {
    description: 'text',
    summary: 'text',
    phase: 'text',
    message: 'text',
    extra: free(
      'hidden reason recoverable approval options steps label',
      'decided total estimatedWaitTime currentQps qpsLimit queueLength',
      { steps: free('', 'start') },
    ),
    artifact: fields({ fixed: 'type', text: 'identifier title language' }),
    citations: fields({ fixed: 'id start end', text: 'url title quote' }, { extra: free('', 'timestamp') }),
    reasoning_time: fields({ fixed: 'start end' }),
    tool_call: toolCall,
    progress: fields({ fixed: 'value current total', text: 'message' }),
    error: fields({ text: 'message code' }),
    image_data: fields({ fixed: 'mimeType' }, { data: 'bytes' }),
    file: fields({ fixed: 'mimeType', text: 'name content' }),
    code: fields({ text: 'language content filename output error' }),
    commandResult: fields({ fixed: 'success exitCode', text: 'output error' }),
    plan: fields({ fixed: 'state', text: 'title' }),
  },
);

export const mediaBlock: Fields = { fields: { ...block.fields, data: 'bytes' } };
export const dataBlock: Fields = {
  fields: { ...block.fields, data: fields({ fixed: 'data_type' }, { data: content, metadata: content }) },
};

/** A message without its blocks. */
export const message = fields(
  { fixed: 'id role status finish timestamp parentId agentId', text: 'name' },
  {
    usage: fields({ fixed: 'prompt_tokens completion_tokens total_tokens context_length' }),
    suggestions: fields({ text: 'label prompt description icon' }),
    // Keys that the widget reads: without them a hidden message would become visible.
    metadata: free(
      'hidden content feedback answered agentMayContinue rounds blocksBefore',
      'rounds blocksBefore startTime endTime',
      { summary: free('', 'duration_ms tool_calls'), stats: free('', 'iterations') },
    ),
  },
);
