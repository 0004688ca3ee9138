import { Component, CUSTOM_ELEMENTS_SCHEMA, computed, signal } from '@angular/core';
import 'agent-chat-element/define';
import type { AgentChatErrorEvent } from 'agent-chat-element';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <nav>
      @for (name of ['Shop', 'About']; track name) {
        <button type="button" (click)="page.set(name)">{{ name }}</button>
      }
    </nav>
    <h1>{{ page() }}</h1>
    @if (page() === 'Shop') {
      <button type="button" (click)="books.set(books() + 1)">Books in the basket: {{ books() }}</button>
    }
    <!-- Beside the pages, not inside of one: so it is the same on each of them. -->
    <agent-chat
      endpoint="/api/agent"
      heading="Ask us"
      image-hosts="self"
      [context]="context()"
      (agent-chat-error)="tell($event)"
    ></agent-chat>
  `,
})
export class App {
  readonly page = signal('Shop');
  readonly books = signal(0);
  readonly context = computed(() => ({ page: this.page(), books: this.books() }));

  tell({ detail }: AgentChatErrorEvent): void {
    console.warn(detail.kind, detail.message);
  }
}
