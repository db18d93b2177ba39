/** Compares predictions at purchase with actual sales. */

import type { Grade, LotPrediction } from '../../../buying/prices/prediction.ts';
import { sellingChannelName } from '../../../buying/prices/selling-channels.ts';
import { formatDay } from '../../../kernel/time.ts';
import { Card, Facts } from '../../kit/card.tsx';
import {
  countText,
  dayText,
  gainText,
  moneyText,
  nounText,
  roundPercentText,
} from '../../kit/format.ts';

/** Null if nothing was sold yet. */
export function gradeText(grade: Grade): string | null {
  const { units, costCents, predictedCents, gotCents, cleared } = grade;
  if (units === 0) return null;
  const [predicted, got] = [predictedCents, gotCents].map((netCents) => {
    const gain = netCents - costCents;
    return costCents === 0 ? gainText(gain) : roundPercentText((100 * gain) / costCents);
  });
  const what = costCents === 0 ? 'Profit' : 'ROI';
  const met = `${countText(cleared)} of ${nounText(units, 'unit')} met the cautious estimate`;
  return `${what} ${got} (predicted ${predicted}); ${met}`;
}

const gradeHint =
  'Units sold so far. Predicted is the median on the day you recorded the purchase. The cautious ' +
  'estimate is the net that 8 of 10 sales were expected to reach.';

export function Predicted(props: { readonly prediction: LotPrediction; readonly grade: Grade }) {
  const { prediction, grade } = props;
  const { at, channel, netHalfCents, netSafeCents, valueCents, waitDays } = prediction;
  const graded = gradeText(grade);
  return (
    <Card title="Prediction at purchase">
      <Facts
        facts={[
          ['Recorded on', dayText(formatDay(at))],
          ['Value then', moneyText(valueCents)],
          ['Best channel', sellingChannelName(channel)],
          ['Median net', moneyText(netHalfCents)],
          ['Cautious net (8 of 10 sales)', moneyText(netSafeCents)],
          ['Median time to sell', waitDays === null ? null : nounText(Math.round(waitDays), 'day')],
          ['Result so far', graded],
        ]}
      />
      {graded && <p class="quiet small">{gradeHint}</p>}
    </Card>
  );
}
