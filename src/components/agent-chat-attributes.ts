/** What a page can set on the tag, as types: for templates of frameworks, which check what is written in them. */
import type { LitElement } from 'lit';
import type { AgentChatSettings } from './agent-chat-settings.ts';

type Setting = Exclude<keyof AgentChatSettings, keyof LitElement> | 'autofocus';

/** Each property. */
export type Settings = { readonly [Name in Setting]?: AgentChatSettings[Name] | undefined };

/** Each event by its name, `agent-chat-send` and so on. */
export type ChatEvents = {
  readonly [
    Name in keyof GlobalEventHandlersEventMap as Name extends `agent-chat-${string}` ? Name : never
  ]: GlobalEventHandlersEventMap[Name];
};

/** `imageHosts` as `image-hosts`. */
type Kebab<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Uppercase<Letter> ? '-' : ''}${Lowercase<Letter>}${Kebab<Rest>}`
  : Name;

type Simple = string | number | boolean;

/** What can be said in HTML, by the names of the attributes: words of a list of words, numbers also as words. */
export type Attributes = {
  readonly [Name in Setting as Extract<AgentChatSettings[Name], Simple> extends never ? never : Kebab<Name>]?:
    Spelled<Extract<AgentChatSettings[Name], Simple>> | undefined;
};

type Spelled<Value extends Simple> = Value | (Value extends number ? `${number}` : Value extends boolean ? '' : never);
