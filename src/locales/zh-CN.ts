import type { Strings } from './en.ts';
export const zhCN: Strings = {};
