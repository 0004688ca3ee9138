import base from '../theme/base.css?inline';
import { sheet } from '../theme/sheet.ts';
import shell from '../theme/shell.css?inline';
import tokens from '../theme/tokens.css?inline';

/** The sheets of the idle widget, in the order in which they build on one another. */
export const styles = [tokens, base, shell].map(sheet);
