/**
 * Public repositories with answers of models, at one commit each. The answers are fetched for a run and not kept in this
 * repository, because only some of these repositories have a licence.
 */
import { z } from 'zod/mini';

export interface AnswerSource {
  readonly language: string;
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly string[];
  /** Reads the answers in a file. */
  readonly read: (text: string) => readonly string[];
}

const lines = (text: string): readonly unknown[] =>
  text.split('\n').flatMap((line): readonly unknown[] => {
    const json = line.replace(/^\ufeff/, '').trim();
    return json === '' ? [] : [JSON.parse(json)];
  });

const outputs = z.array(z.object({ output: z.string() }));
const conversation = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const turn = z.union([z.string(), z.object({ content: z.string() })]);
const choices = z.object({ choices: z.array(z.object({ turns: z.array(turn) })) });
const pairs = z.object({ outputs: z.array(z.string()) });

const readOutputs = (text: string): readonly string[] => outputs.parse(JSON.parse(text)).map(({ output }) => output);
const readConversations = (text: string): readonly string[] =>
  lines(text).flatMap((line) =>
    conversation.parse(line).messages.flatMap(({ role, content }) => (role === 'assistant' ? content : [])),
  );
const readChoices = (text: string): readonly string[] =>
  lines(text).flatMap((line) =>
    choices
      .parse(line)
      .choices.flatMap(({ turns }) => turns.map((one) => (typeof one === 'string' ? one : one.content))),
  );
const readPairs = (text: string): readonly string[] => lines(text).flatMap((line) => pairs.parse(line).outputs);

export const answerSources: readonly AnswerSource[] = [
  {
    language: 'en',
    repository: 'tatsu-lab/alpaca_eval',
    commit: 'cd543a149df89434d8a54582c0151c0b945c3d20',
    files: [
      'gpt-4o-2024-05-13',
      'claude-3-5-sonnet-20240620',
      'gemini-pro',
      'Meta-Llama-3.1-405B-Instruct-Turbo',
      'Mixtral-8x22B-Instruct-v0.1',
      'Qwen2-72B-Instruct',
      'deepseek-llm-67b-chat',
      'cohere',
      'Yi-34B-Chat',
      'phi-2-dpo',
    ].map((model) => `results/${model}/model_outputs.json`),
    read: readOutputs,
  },
  {
    language: 'zh',
    repository: 'flageval-baai/Carena-hard-auto',
    commit: 'b4b69fe4d0f09519dadf7184d1a7149e04cdd34e',
    files: [
      'anthropic_claude-opus-4.1',
      'anthropic_claude-sonnet-4',
      'deepseek_deepseek-chat-v3.1',
      'deepseek_deepseek-r1-0528',
      'google_gemini-2.5-flash',
      'google_gemini-2.5-pro',
      'openai_gpt-5-mini',
      'qwen_qwen3-235b-a22b-2507',
      'x-ai_grok-4',
      'z-ai_glm-4.5',
    ].map((model) => `model_answers/${model}.jsonl`),
    read: readConversations,
  },
  {
    language: 'ru',
    repository: 'VikhrModels/ru_llm_arena',
    commit: '501ab65d54bc92789d9a1f974a5841a4aab96b74',
    files: [
      'aya-expanse-8b',
      'c4ai-command-r-v01',
      'gemma-2-9b-it',
      'gigachat_max',
      'glm-4-9b-chat',
      'gpt-4o-mini',
      'mistral-nemo-instruct-2407',
      'phi-3-medium-4k-instruct',
      'qwen2.5-14b-instruct',
      'yandex_gpt_pro_v4_26102024',
    ].map((model) => `data/arena-hard-v0.1/model_answer/${model}.jsonl`),
    read: readChoices,
  },
  {
    language: 'ko',
    repository: 'instructkr/LogicKor',
    commit: '11c3a84f93d176754f1ce197a8f00961cffa9de2',
    files: [
      'anthropic/claude-3-5-sonnet-20240620',
      'google/gemini_1.5_pro_001',
      'CohereForAI/c4ai-command-r-plus',
      'Qwen/Qwen2-72B-Instruct',
      'THUDM/glm-4-9b-chat',
      'alpindale/WizardLM-2-8x22B',
      'meta-llama/Meta-Llama-3-70B-Instruct',
    ].map((model) => `evaluated/${model}/default.jsonl`),
    read: readPairs,
  },
  {
    language: 'ja',
    repository: 'yuzu-ai/japanese-llm-ranking',
    commit: 'fae1ee79c69b0c3acf8e8a1994e43c7952e7bd9c',
    files: ['claude-2', 'gpt-3.5-turbo', 'gpt-4-20230713', 'stablebeluga2', 'super-trin'].map(
      (model) => `jrank/data/rakuda_v2/answers/${model}.jsonl`,
    ),
    read: readChoices,
  },
  {
    language: 'de, es, fr, it',
    repository: 'Modalities/MT-Bench-X',
    commit: 'f8972dc70595a7e981ada7f2ac5e7c191ab12441',
    files: ['DE', 'ES', 'FR', 'IT'].map((language) => `data/mt_bench_${language}/reference_answer/gpt-4.jsonl`),
    read: readChoices,
  },
];
