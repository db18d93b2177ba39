/** OAuth 1.0a signatures: the examples of RFC 5849 and OAuth Core, and BrickLink's requirements. */
import { describe, expect, test } from 'bun:test';
import { signatureText, signOAuth1 } from './oauth1.ts';
import { Secret } from './secret.ts';

const keys = {
  consumerKey: new Secret('dpf43f3p2l4k3l03'),
  consumerSecret: new Secret('kd94hf93k423kf44'),
  token: new Secret('nnch734d00sl2jdk'),
  tokenSecret: new Secret('pfkkdhi9sl3r4s00'),
};
const moment = { timestamp: 137131202, nonce: 'chapoH' };

describe('the signature base string', () => {
  test('is the example of RFC 5849, section 3.4.1.1, with the body among its parameters', () => {
    // The example of the RFC has the body `c2&a3=2+q`; its pairs are in the query here.
    const url = new URL('http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b&c2&a3=2+q');
    const ours = [
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
    ] as const;
    expect(signatureText({ method: 'post', url }, ours)).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q' +
        '%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_' +
        'key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_m' +
        'ethod%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk' +
        '9d7dh3k39sjv7',
    );
  });

  test('is encoded by RFC 3986, including characters that encodeURIComponent skips', () => {
    const url = new URL("https://api.example.com/items/SET/K'1(2)!*/price?q=~a-b_c.d");
    const text = signatureText({ method: 'GET', url }, []);
    expect(text).toBe(
      'GET&https%3A%2F%2Fapi.example.com%2Fitems%2FSET%2FK%271%282%29%21%2A%2Fprice&q%3D~a-b_c.d',
    );
  });

  test('has its parameters in byte order after encoding', () => {
    const url = new URL('https://api.example.com/?b=1&a=2&a=10&%C3%A4=3');
    expect(decodeURIComponent(signatureText({ method: 'GET', url }, []).split('&')[2] ?? '')).toBe(
      '%C3%A4=3&a=10&a=2&b=1',
    );
  });
});

describe('the header', () => {
  test("has the signature of OAuth's well-known example", () => {
    // Appendix A.5 of OAuth Core 1.0; unlike RFC 5849, it includes the version that BrickLink
    // requires.
    const url = new URL('http://photos.example.net/photos?file=vacation.jpg&size=original');
    const header = signOAuth1({ method: 'GET', url }, keys, {
      timestamp: 1191242096,
      nonce: 'kllo9940pd9333jh',
    });
    expect(header).toContain('oauth_signature="tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D"');
  });

  test('has the seven parameters that BrickLink requires, and no secrets', () => {
    const url = new URL('https://api.bricklink.com/api/store/v1/items/SET/75192-1/price?vat=N');
    const header = signOAuth1({ method: 'GET', url }, keys, moment);
    expect([...header.matchAll(/(\w+)="/g)].map(([, name]) => name)).toEqual([
      'oauth_consumer_key',
      'oauth_nonce',
      'oauth_signature_method',
      'oauth_timestamp',
      'oauth_token',
      'oauth_version',
      'oauth_signature',
    ]);
    expect(header).toStartWith('OAuth oauth_consumer_key="dpf43f3p2l4k3l03", ');
    expect(header).not.toContain(keys.consumerSecret.reveal());
    expect(header).not.toContain(keys.tokenSecret.reveal());
  });

  test('changes with everything that is signed', () => {
    const url = new URL('https://api.bricklink.com/a?x=1');
    const signed = (given: Partial<typeof moment>, other = url) =>
      signOAuth1({ method: 'GET', url: other }, keys, { ...moment, ...given });
    const headers = [
      signed({}),
      signed({ nonce: 'other' }),
      signed({ timestamp: moment.timestamp + 1 }),
      signed({}, new URL('https://api.bricklink.com/a?x=2')),
    ].map((header) => /oauth_signature="([^"]+)"/.exec(header)?.[1]);
    expect(new Set(headers).size).toBe(4);
  });
});
