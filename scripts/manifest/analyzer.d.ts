/** The analyzer's types omit these exports of its package. */
declare module '@custom-elements-manifest/analyzer/index.js' {
  import type { Package } from 'custom-elements-manifest/schema';
  import typescript from 'typescript';

  export { typescript as ts };
  export function create(options: {
    readonly modules: readonly typescript.SourceFile[];
    readonly plugins: readonly object[];
    readonly context: { readonly dev: boolean };
  }): Package;
}
