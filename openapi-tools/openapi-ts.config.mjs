/** What @hey-api/openapi-ts makes: a client of each document. */
const clientOf = (document, folder) => ({
  input: `../docs/${document}.json`,
  output: { path: `generated/${folder}`, clean: true },
  logs: { file: false },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});

export default [clientOf('openapi', 'hey-api'), clientOf('plus-openapi', 'hey-api-plus')];
