/**
 * Public repositories with recorded replies of servers, each at one commit. The recordings belong to them: they are
 * fetched for a run and never stored in this repository.
 */
export interface Repository {
  /** `owner/name` on GitHub. */
  readonly name: string;
  readonly commit: string;
  /** The files with recordings. */
  readonly files: RegExp;
  /** The address for files that do not contain it: the first whose pattern matches the file's path. */
  readonly addresses?: readonly (readonly [RegExp, string])[];
  /** Each line of these files is the payload of a server-sent event. */
  readonly lines?: RegExp;
}

const OPENAI_CHAT = 'https://api.openai.com/v1/chat/completions';
const OPENAI_RESPONSES = 'https://api.openai.com/v1/responses';
const ANTHROPIC = 'https://api.anthropic.com/v1/messages';
const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent';
const INTERACTIONS = 'https://generativelanguage.googleapis.com/v1beta/interactions';
const COHERE = 'https://api.cohere.com/v2/chat';

const cassettes = /cassettes?\/.*\.ya?ml$/;

export const repositories: readonly Repository[] = [
  { name: '0xPlaygrounds/rig', commit: 'b75850e899498647563af2d644ee72d28ac7a69e', files: cassettes },
  {
    name: 'Arize-ai/openinference',
    commit: '1fe497f1d9f45a07eee55d97fe185e020560f9c7',
    files: /cassettes?\/.*\.(?:ya?ml|json)$|recordings\/.*\.json$/,
    addresses: [[/instrumentation-anthropic/, ANTHROPIC]],
  },
  {
    name: 'DataDog/dd-trace-js',
    commit: '5735ffe7643cd9a984a8d21bde2131cc2fbe3a50',
    files: /cassettes\/.*\.(?:ya?ml|json)$/,
  },
  {
    name: 'DataDog/dd-trace-py',
    commit: '3bb9ecda22830e3303b18b0ffa5abe7586aef6a7',
    files: /cassettes\/.*\.(?:ya?ml|json)$/,
  },
  {
    name: 'FirebaseExtended/vertexai-sdk-test-data',
    commit: '2d6adfde6a9ab79867347fd1f9dfeaccf1c9e3d9',
    files: /mock-responses\/.*streaming-.*\.txt$/,
    addresses: [[/./, GEMINI]],
  },
  { name: 'Mirascope/mirascope', commit: '41d433578653411dbff96c6eaca4fa869aafc931', files: cassettes },
  {
    name: 'alexrudall/ruby-openai',
    commit: '62938e02bb83e9f243ad2447805bc461d5d126fe',
    files: /cassettes\/.*\.yml$/,
  },
  {
    name: 'andreibondarev/langchainrb',
    commit: '5ec04abd2ffc7204aba36befeef992aa8e74a3ce',
    files: /cassettes\/.*\.yml$/,
  },
  {
    name: 'anthropics/anthropic-sdk-python',
    commit: '009b035305e0724ce108ebd796935f91711fc6e1',
    files: /tests\/.*fixtures\/.*\.(?:sse|txt)$/,
    addresses: [[/./, ANTHROPIC]],
  },
  {
    name: 'braintrustdata/braintrust-sdk-javascript',
    commit: '96a8132d9327efa81ecd66a01920ab6206a57ca1',
    files: /__cassettes__\/.*\.json$/,
  },
  {
    name: 'braintrustdata/braintrust-sdk-python',
    commit: 'a7053505083fb7b7ae6ed1c10a4141a0d8673cc4',
    files: cassettes,
  },
  { name: 'charmbracelet/crush', commit: '37f36e93824e5c4f892e4a817f7f628e2682fe14', files: /testdata\/.*\.yaml$/ },
  {
    name: 'charmbracelet/fantasy',
    commit: 'f6d4d1e3022229bd6e77717416336bf50e1693ad',
    files: /testdata\/.*\.yaml$/,
  },
  {
    name: 'coder/aibridge',
    commit: 'd59c7ef1fcaab8b2dea1fd7986c2654c3c8e71aa',
    files: /fixtures\/.*\.txtar$/,
    addresses: [
      [/fixtures\/anthropic\//, ANTHROPIC],
      [/chatcompletions\//, OPENAI_CHAT],
      [/responses\//, OPENAI_RESPONSES],
    ],
  },
  { name: 'crewAIInc/crewAI', commit: 'f4731f5025f861c78e3af0487cc80bf5e7c64782', files: cassettes },
  { name: 'crmne/ruby_llm', commit: 'fb5a49bf04da78d3e74496431ad1c99df5e7e5f0', files: /vcr_cassettes\/.*\.yml$/ },
  {
    name: 'elastic/elastic-otel-python-instrumentations',
    commit: '935ab4fafc7182be2e00e70f0f9881f8ec84085a',
    files: cassettes,
  },
  { name: 'envoyproxy/ai-gateway', commit: 'c217da8a539570ba3f6014a60c2687c29a945f1f', files: cassettes },
  { name: 'langchain-ai/langchain-cohere', commit: '6833d1746886f3cb0fdbc4c1b4a18095264c512a', files: cassettes },
  { name: 'langchain-ai/langsmith-sdk', commit: 'bc8dd672a7b9e7d09bcb2fdada0baff80700f9b0', files: cassettes },
  { name: 'lmnr-ai/lmnr-python', commit: '67dea392f4961bfcf7b5cde3733aaa4a452bb9f9', files: cassettes },
  { name: 'lmnr-ai/lmnr-ts', commit: '21f4850b4f717fc4ab084509cf2e0267ef0f9f87', files: /recordings\/.*\.json$/ },
  {
    name: 'microsoft/semantic-kernel',
    commit: 'b39d95a34435f4c1d55dd00c86120ce118d847e1',
    files: /UnitTests\/TestData\/.*stream.*\.(?:txt|json)$/,
    addresses: [
      [/text_?(?:completion|generation)|completion_stream_response/, ''],
      [/Connectors\.Google/, GEMINI],
      [/Connectors\.Ollama/, 'http://localhost:11434/api/chat'],
      [/./, OPENAI_CHAT],
    ],
  },
  {
    name: 'open-telemetry/opentelemetry-python-contrib',
    commit: '466ae4c00de77d1f54f77a9600f1d08eba2306b5',
    files: cassettes,
  },
  { name: 'posit-dev/chatlas', commit: 'ea4531130e56d3c5bb003d87a1792dd942554b8d', files: /_vcr\/.*\.yaml$/ },
  {
    name: 'prism-php/prism',
    commit: '5d6cc65b80b19cf3f22744703ac0c727b68cdca8',
    files:
      /tests\/Fixtures\/(?:anthropic|deepseek|gemini|groq|mistral|ollama|openai|openrouter|perplexity|xai|z)\/.*stream.*$/,
    addresses: [
      [/Fixtures\/anthropic\//, ANTHROPIC],
      [/Fixtures\/gemini\//, GEMINI],
      [/Fixtures\/ollama\//, 'http://localhost:11434/api/chat'],
      [/Fixtures\/openai\/stream-falsy-argument-conversation-\d/, OPENAI_CHAT],
      [/Fixtures\/openai\//, OPENAI_RESPONSES],
      [/Fixtures\/(\w+)\//, 'https://gateway.example/v1/chat/completions'],
    ],
  },
  { name: 'pydantic/logfire', commit: 'e484a6b53a0df3062d304ce258573e387cf3140a', files: cassettes },
  { name: 'pydantic/pydantic-ai', commit: '4fda38988f2939fa6ea9cdefcf120693e10ef491', files: cassettes },
  { name: 'simonw/llm', commit: 'f3f4f29c6e5e623c3776cbf6455dda2345638214', files: cassettes },
  { name: 'simonw/llm-anthropic', commit: '3ae428f3b5143cc81da25af0271d8fa55bda3f05', files: cassettes },
  { name: 'simonw/llm-gemini', commit: '2a8c855abf701766555b866efe7c80f9a7e27bcf', files: cassettes },
  { name: 'simonw/llm-openrouter', commit: '107aa35be076b3943146fee0aa537e03c1dec10f', files: cassettes },
  { name: 'tmc/langchaingo', commit: '8fea3de63675b901cf7a2cdc435c204cb7a93643', files: /\.httprr$/ },
  { name: 'traceloop/openllmetry', commit: '93429cfb9767e6b51db6cb35f6b70f758117669a', files: cassettes },
  {
    name: 'traceloop/openllmetry-js',
    commit: '1faf69deed3401593a9e3551130f5fcc2925f60a',
    files: /recordings\/.*\.har$/,
  },
  {
    name: 'vercel/ai',
    commit: 'ed857f50f112e23930b0c2dd8d532cc8bebbc911',
    files: /(?:__)?fixtures(?:__)?\/.*\.chunks\.txt$/,
    lines: /\.chunks\.txt$/,
    addresses: [
      [/amazon-bedrock|translation|completion\//, ''],
      [/packages\/anthropic\//, ANTHROPIC],
      [/google\/src\/interactions/, INTERACTIONS],
      [/packages\/google\//, GEMINI],
      [/packages\/cohere\//, COHERE],
      [/azure-deepseek/, OPENAI_CHAT],
      [/responses\/|packages\/azure\//, OPENAI_RESPONSES],
      [/./, OPENAI_CHAT],
    ],
  },
];
