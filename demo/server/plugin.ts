import { defaultAllowedOrigins, type Connect, type Plugin } from 'vite';
import { handleAgentRequest } from './handle.ts';

/** Serves the agents beside the pages of Vite's own server. */
export function agentServer(): Plugin {
  const serve = (middlewares: Connect.Server): void => {
    middlewares.use((request, response, next) => {
      void handleAgentRequest(request, response).then((answered) => {
        if (!answered) next();
      });
    });
  };
  return {
    name: 'agent-chat:demo-agents',
    // Vite answers preflights itself, for its own origins; those of the agents are for everybody and are left to them.
    config: () => ({ server: { cors: { origin: defaultAllowedOrigins, preflightContinue: true } } }),
    configureServer: ({ middlewares }) => {
      serve(middlewares);
    },
    configurePreviewServer: ({ middlewares }) => {
      serve(middlewares);
    },
  };
}
