/** Types of the element's properties, events and attributes, for type-checked framework templates. */
import type { LitElement } from 'lit';
import type { AgentChatSettings } from './agent-chat-properties.ts';

type Setting = Exclude<keyof AgentChatSettings, keyof LitElement> | 'autofocus';

/** All properties. */
export type ChatProperties = { readonly [Name in Setting]?: AgentChatSettings[Name] | undefined };

/** All events by name, such as `agent-chat-send`. */
export type ChatEvents = {
  readonly [
    Name in keyof GlobalEventHandlersEventMap as Name extends `agent-chat-${string}` ? Name : never
  ]: GlobalEventHandlersEventMap[Name];
};

/** Converts `imageHosts` to `image-hosts`. */
type Kebab<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Uppercase<Letter> ? '-' : ''}${Lowercase<Letter>}${Kebab<Rest>}`
  : Name;

type Primitive = string | number | boolean;

/** All attributes by name, with the values that HTML allows: enum values, and numbers also as strings. */
export type ChatAttributes = {
  readonly [Name in Setting as Extract<AgentChatSettings[Name], Primitive> extends never ? never : Kebab<Name>]?:
    | AttributeValue<Extract<AgentChatSettings[Name], Primitive>>
    | undefined;
};

type AttributeValue<Value extends Primitive> =
  | Value
  | (Value extends number ? `${number}` : Value extends boolean ? '' : never);
