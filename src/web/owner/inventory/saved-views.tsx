/** Saved views of the inventory, as tabs above it. */
import { type SavedView, viewLimits } from '../../../portfolio/lots/saved-views.ts';
import { Badge } from '../../kit/card.tsx';
import { Field, PostForm } from '../../kit/fields.tsx';
import { Dialog } from '../../kit/menu.tsx';
import { Tabs } from '../../kit/segments.tsx';
import { type InventoryView, savedQuery, viewPath } from './inventory-view.tsx';

/** Tabs of all lots and the saved views; nothing if there is nothing to save. */
export function ViewTabs(props: {
  readonly view: InventoryView;
  readonly views: readonly SavedView[];
}) {
  const { view, views } = props;
  const here = savedQuery(view);
  if (views.length === 0 && here === '') return null;
  const all = { href: '/inventory?view=all', text: 'All lots', isCurrent: here === '' };
  const saved = views.map(({ name, query }) => ({
    href: `/inventory?${query || 'view=all'}`,
    text: name,
    isCurrent: query === here && here !== '',
  }));
  return (
    <div class="views">
      <Tabs label="Views" choices={[all, ...saved]} />
      <Dialog
        id="views"
        title={views.length === 0 ? 'Save view' : 'Saved views'}
        trigger="Save view"
      >
        <PostForm action={viewPath(view, {}, '/inventory/views')} class="row">
          <Field name="name" label="Name" isRequired maxlength={viewLimits.name} />
          <button type="submit">Save this view</button>
        </PostForm>
        {views.length > 0 && <ViewList {...props} />}
      </Dialog>
    </div>
  );
}

function ViewList({ view, views }: Parameters<typeof ViewTabs>[0]) {
  return (
    <ul class="view-list">
      {views.map(({ id, name, isDefault }) => (
        <li key={id}>
          <span>
            {name} {isDefault && <Badge>Default</Badge>}
          </span>
          <PostForm action={viewPath(view, {}, `/inventory/views/${id}`)} class="row">
            <button
              type="submit"
              class="link"
              name="change"
              value={isDefault ? 'no default' : 'default'}
            >
              {isDefault ? 'Remove default' : 'Make default'}
              <span class="visually-hidden">: {name}</span>
            </button>
            <button type="submit" class="link" name="change" value="delete">
              Delete<span class="visually-hidden"> {name}</span>
            </button>
          </PostForm>
        </li>
      ))}
    </ul>
  );
}
