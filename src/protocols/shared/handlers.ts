/** Types of a table of what each type of event does. */
import type { Frame } from '../../transport/frame.ts';

/** The events of a union with this type. */
export type EventOf<Event, Type> = Event extends { readonly type: infer Types }
  ? Type extends Types
    ? Event
    : never
  : never;

/** A handler for each type of event. A missing handler is a type error. `Beside`: what a handler gets beside the event. */
export type Handlers<
  Reply,
  Event extends { readonly type: string },
  Result,
  Beside extends readonly unknown[] = [frame: Frame],
> = {
  readonly [Type in Event['type']]: (reply: Reply, event: EventOf<Event, Type>, ...beside: Beside) => Result;
};
