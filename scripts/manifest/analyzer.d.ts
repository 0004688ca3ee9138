/** The analyzer's own types leave out what its package gives. */
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
