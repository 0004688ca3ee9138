/**
 * Preloaded with `node --import`: redirects all imports of the AI SDK to the version that `AI_SDK` names, `ai-5` or
 * `ai-7`. The tests are written for version 6.
 */
import { register } from 'node:module';

const { AI_SDK = 'ai' } = process.env;
const mockModel = new URL('ai-sdk-5-mock.ts', import.meta.url).href;

/** Runs from its source in the loader's thread, so it must not use anything of this module. */
const hook = `
  export const resolve = (specifier, context, next) => {
    const [, path] = /^ai(\\/test)?$/.exec(specifier) ?? [];
    if (!/^ai(\\/test)?$/.test(specifier)) return next(specifier, context);
    if (${String(AI_SDK === 'ai-5')} && path) return next(${JSON.stringify(mockModel)}, context);
    return next(${JSON.stringify(AI_SDK)} + (path ?? ''), context);
  };`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
