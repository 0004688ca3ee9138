import { defaultAllowedOrigins, type Connect, type Plugin } from 'vite';
import { handleAgentRequest } from './handle.ts';
import { acceptAgentSockets } from './sockets.ts';

/** Serves the agents from Vite's own server. */
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
    // Vite answers preflights for its own origins only; those of the agents must allow every origin, so the agent
    // server answers them.
    config: () => ({ server: { cors: { origin: defaultAllowedOrigins, preflightContinue: true } } }),
    configureServer({ middlewares, httpServer }) {
      serve(middlewares);
      if (httpServer) acceptAgentSockets(httpServer);
    },
    configurePreviewServer({ middlewares, httpServer }) {
      serve(middlewares);
      acceptAgentSockets(httpServer);
    },
  };
}
