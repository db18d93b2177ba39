/** When the rules of deploy/alerts.yaml fire, as Prometheus itself evaluates them. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from './support/apt.ts';

const rules = join(import.meta.dir, '../deploy/alerts.yaml');

function findPromtool(): string | null {
  if (Bun.which('promtool') === null) installPackages('prometheus');
  return Bun.which('promtool');
}

const promtool = findPromtool();

function run(...words: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([promtool ?? '', ...words]);
  return { status: exitCode, text: `${stdout}${stderr}` };
}

/** Series by their names, and the alerts that fire at some times. */
interface Scene {
  /** Between the values of a series; five minutes by default. */
  readonly step?: string;
  readonly series: Readonly<Record<string, string>>;
  readonly fires: Readonly<Record<string, readonly string[]>>;
}

const hour = 3_600;
const day = 24 * hour;

const lastSuccessOf = (service: string) =>
  `brickmark_backup_job_last_success_timestamp_seconds{service="${service}"}`;

const scenes: Readonly<Record<string, Scene>> = {
  'a source rests until its calls no longer count': {
    series: {
      'brickmark_sync_budget_left{source="a"}': '100 0x301 100x300',
      'brickmark_sync_budget_left{source="b"}': '0x400',
    },
    fires: { '25h10m': [], '27h': ['BrickmarkSourceBudgetSpent'] },
  },
  'a source that is called once a month fails for a day': {
    series: {
      'brickmark_sync_last_success_timestamp_seconds{source="a"}': `-${30 * day}x400`,
      'brickmark_sync_failures{source="a"}': '1x400',
    },
    fires: { '23h': [], '24h': ['BrickmarkSourceFailing'] },
  },
  'a source is due, and nobody calls it': {
    series: { 'brickmark_sync_next_call_timestamp_seconds{source="a"}': '7200x400' },
    fires: { '4h': [], '5h': ['BrickmarkSourceNotFetched'] },
  },
  'a node is killed, and so is another program': {
    step: '1m',
    series: {
      'up{instance="a",job="j"}': '1x9 0x1500',
      'brickmark_build_info{instance="a",job="j"}': '1x9 _x1500',
      'up{instance="b",job="j"}': '1x1500',
      'brickmark_build_info{instance="b",job="j"}': '1x1500',
      'up{instance="other",job="k"}': '0x1500',
    },
    fires: { '9m': [], '12m': ['BrickmarkDown'], '24h': ['BrickmarkDown'] },
  },
  'the store cannot be written to, and then can': {
    series: { brickmark_store_up: '1 0x3 1x3' },
    fires: { '5m': [], '10m': ['BrickmarkStoreDown'], '25m': [] },
  },
  'a few of many requests fail, then more, and readiness does not count': {
    step: '1m',
    series: {
      'brickmark_requests_total{route="getSet",status="2xx"}': '0+200x150',
      'brickmark_requests_total{route="getSet",status="5xx"}': '0+1x60 80+20x90',
      'brickmark_requests_total{route="readyz",status="5xx"}': '0+180x150',
    },
    fires: { '1h': [], '2h': ['BrickmarkErrors'] },
  },
  'upkeep stands still, and items wait': {
    series: {
      brickmark_upkeep_last_success_timestamp_seconds: '0x100',
      brickmark_items_stale: '0x11 3x100',
      brickmark_items_due: '900x100',
    },
    fires: {
      '15m': [],
      '25m': ['BrickmarkUpkeepStopped'],
      '2h': ['BrickmarkUpkeepBehind', 'BrickmarkUpkeepStopped'],
    },
  },
  'the disk fills': {
    series: {
      brickmark_disk_size_bytes: '10e9x100',
      brickmark_disk_free_bytes: '2e9x10 0.9e9x10 0.4e9x10',
    },
    fires: {
      '50m': [],
      '80m': ['BrickmarkDiskAlmostFull'],
      '130m': ['BrickmarkDiskAlmostFull', 'BrickmarkDiskFull'],
    },
  },
  'memory of the server, of a helper, and of another program': {
    series: {
      'brickmark_build_info{instance="a",job="j"}': '1x100',
      'process_resident_memory_bytes{instance="a",job="j"}': '4e8x100',
      'process_resident_memory_bytes{instance="other",job="k"}': '9e9x100',
      'brickmark_helper_memory_bytes{instance="a",helper="upkeep"}': '9e8x100',
      'brickmark_helper_memory_bytes{instance="a",helper="pages"}': '4e8x20 9e8x80',
    },
    fires: { '100m': [], '150m': ['BrickmarkMemory'] },
  },
  'a store is never backed up': {
    series: { brickmark_backup_last_success_timestamp_seconds: '0x900' },
    fires: { '2d': [], '50h': ['BrickmarkBackupOld'] },
  },
  'a backup on another machine fails, is not checked, and is not made': {
    series: {
      'brickmark_backup_job_failed{service="a"}': '0 1x9 0x100',
      [lastSuccessOf('a-check')]: `${hour - 9 * day}x36 0x100`,
      [lastSuccessOf('a-save')]: `${4 * hour - 2 * day}x100`,
    },
    fires: {
      '4m': [],
      '30m': ['BrickmarkBackupJobFailed'],
      '110m': [],
      '150m': ['BrickmarkBackupJobOld'],
      '4h': [],
      '6h': ['BrickmarkBackupJobOld'],
    },
  },
  'sign-ins fail': {
    series: {
      'brickmark_failed_sign_ins{instance="a",method="password"}': '30 60 90x9',
      'brickmark_failed_sign_ins{instance="b",method="password"}': '30 60 90x9',
      'brickmark_failed_sign_ins{instance="a",method="provider"}': '0 0 9 10x9',
    },
    fires: { '10m': [], '20m': ['BrickmarkSignInsFail'] },
  },
};

/** Without this, a rule about absent metrics fires in every scene. */
const fetched = { 'brickmark_sync_last_success_timestamp_seconds{source="ecb"}': '0x9000' };

function promtoolTest({ step = '5m', series, fires }: Scene) {
  const all = { ...fetched, ...series };
  return {
    interval: step,
    input_series: Object.entries(all).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: Object.entries(fires).map(([at, alerts]) => ({
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: at,
      exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
    })),
  };
}

const suites = () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-rules-'));
    return () => rmSync(folder, { recursive: true });
  });

  test('are valid', () => {
    const { status, text } = run('check', 'rules', rules);
    expect([status, text]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test.each(Object.entries(scenes))('%s', (_, scene) => {
    const file = join(folder, 'test.yaml');
    const tests = [promtoolTest(scene)];
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    const { status, text } = run('test', 'rules', file);
    expect([status, text]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
};

if (promtool !== null) describe('rules', suites);
else test.skip('NOT RUN, since no promtool was found: the alert rules', () => {});
