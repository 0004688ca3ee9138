export default {
  // Where your agent is while you develop.
  rewrites: () => [{ source: '/api/agent', destination: 'http://localhost:8080/api/agent' }],
};
