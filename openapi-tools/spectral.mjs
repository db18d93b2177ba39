/**
 * What Spectral checks the OpenAPI documents for: all rules for OpenAPI, and those of OWASP for
 * APIs. Each rule that is off, or looks at less, has its reason here.
 */

import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';

/** A rule of OWASP that looks elsewhere. */
const at = (name, ...given) => ({ [name]: { ...owasp.rules[name], given } });

const parameter = (type, more = '') =>
  `$.paths[*][*].parameters[?(@.schema.type=="${type}"${more})].schema`;
const withExample = '[?(@ && @.schema && (@.example !== void 0 || @.examples))]';
const inBody = (type) => `$.paths[*][*].requestBody..[?(@ && @.type=="${type}")]`;

// The contract has no largest offset, and no largest number of a collection.
const bounded = ' && @.name!="offset" && @.name!="brickfolio_id"';

export default {
  extends: [
    [oas, 'all'],
    [owasp, 'all'],
  ],
  rules: {
    // There is no address to write to: problems go to the page of issues that `url` names.
    'contact-properties': 'off',
    // Tags are in the order in which a reader needs them: the catalog first, usage last.
    'openapi-tags-alphabetical': 'off',
    // Headers of all responses are references: each is checked once, where it is declared, and not
    // in hundreds of responses, which takes half as long again.
    'oas3-valid-media-example': {
      ...oas.rules['oas3-valid-media-example'],
      given: [
        `$..content..${withExample}`,
        `$.components.headers${withExample}`,
        `$..parameters..${withExample}`,
      ],
    },

    // Brickmark is self-hosted. Its documents name the server that they come from, which is
    // http://127.0.0.1:8080 for those in docs; whether it is for production, and who may reach it,
    // only its operator knows.
    'owasp:api8:2023-no-server-http': 'off',
    'owasp:api9:2023-inventory-access': 'off',
    'owasp:api9:2023-inventory-environment': 'off',

    // The contract numbers collections, and `status_id` is one of four states. Knowing a number
    // helps nobody: what is not the caller's is answered like what does not exist.
    'owasp:api1:2023-no-numeric-ids': 'off',

    // Bounds protect the server from what it is sent; answers have them where there is a limit.
    ...at('owasp:api4:2023-string-limit', parameter('string'), inBody('string')),
    ...at('owasp:api4:2023-string-restricted', parameter('string'), inBody('string')),
    ...at('owasp:api4:2023-array-limit', inBody('array')),
    ...at('owasp:api4:2023-integer-limit', parameter('integer', bounded), inBody('integer')),

    // Before a key is accepted (401, 405) there is no allowance to report.
    ...at(
      'owasp:api4:2023-rate-limit',
      '$.paths[*]..responses[?(@property.match(/^(200|400|403|404|429)$/))]',
    ),
    // Usage of a key can be asked for without end: it is free.
    ...at('owasp:api4:2023-rate-limit-responses-429', '$.paths[?(@property!="/usage")]..responses'),
  },
};
