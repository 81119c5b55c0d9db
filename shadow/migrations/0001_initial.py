
import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.db.models.deletion
import django.utils.timezone
import organizations.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('organizations', '0001_initial'),
        ('tours', '0002_versions_stay_as_they_are'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Machine',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=organizations.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('machine_id', models.CharField(max_length=64, verbose_name='id')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='name')),
                ('user_agent', models.CharField(blank=True, max_length=300, verbose_name='browser')),
                ('last_seen_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='last seen')),
                ('member', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='member')),
                ('organization', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, to='organizations.organization')),
            ],
            options={
                'verbose_name': 'machine',
                'verbose_name_plural': 'machines',
                'ordering': ['-last_seen_at'],
            },
        ),
        migrations.CreateModel(
            name='ObservationSession',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=organizations.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('session_id', models.CharField(max_length=64, verbose_name='id')),
                ('locale', models.CharField(choices=[('fr', 'French'), ('en', 'English')], max_length=2, verbose_name='language')),
                ('status', models.CharField(choices=[('active', 'Not observed yet'), ('recording', 'Being observed'), ('stopped', 'Observed'), ('built', 'Learnt'), ('cancelled', 'Called off')], default='active', max_length=10, verbose_name='status')),
                ('recording', models.PositiveIntegerField(default=0, editable=False)),
                ('recorded_from', models.BigIntegerField(editable=False, null=True)),
                ('recorded_until', models.BigIntegerField(editable=False, null=True)),
                ('last_sequence', models.BigIntegerField(default=-1, editable=False, verbose_name='last event')),
                ('events_count', models.PositiveIntegerField(default=0, editable=False, verbose_name='events')),
                ('secret_targets', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=32), default=list, editable=False, size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='began')),
                ('started_at', models.DateTimeField(null=True, verbose_name='observed from')),
                ('stopped_at', models.DateTimeField(null=True, verbose_name='observed until')),
                ('closed_at', models.DateTimeField(editable=False, null=True)),
                ('last_event_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='last event received')),
                ('machine', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='shadow.machine', verbose_name='machine')),
                ('member', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='member')),
                ('organization', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, to='organizations.organization')),
            ],
            options={
                'verbose_name': 'observed session',
                'verbose_name_plural': 'observed sessions',
                'ordering': ['-last_event_at'],
            },
        ),
        migrations.CreateModel(
            name='Feedback',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=organizations.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('recording', models.PositiveIntegerField(editable=False)),
                ('action', models.CharField(choices=[('validate', 'Validated'), ('correct', 'Corrected'), ('undo', 'Removed'), ('cancel', 'Called off'), ('merge_next', 'Merged with the next'), ('split', 'Split')], max_length=12, verbose_name='action')),
                ('step_index', models.IntegerField(null=True, verbose_name='step')),
                ('new_intent', models.CharField(blank=True, max_length=300, verbose_name='new intent')),
                ('at_event_index', models.BigIntegerField(null=True, verbose_name='at event')),
                ('applied', models.BooleanField(verbose_name='applied')),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='why not')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who')),
                ('organization', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, to='organizations.organization')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to='shadow.observationsession', verbose_name='session')),
            ],
            options={
                'verbose_name': 'feedback',
                'verbose_name_plural': 'feedback',
                'ordering': ['session', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Competence',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=organizations.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('domain', models.CharField(default='generic', max_length=60, verbose_name='domain')),
                ('status', models.CharField(choices=[('candidate', 'Candidate'), ('approved', 'Approved')], default='candidate', max_length=10, verbose_name='status')),
                ('workflow_ir', models.JSONField(verbose_name='workflow')),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('yaml_text', models.TextField(editable=False, verbose_name='YAML')),
                ('path', models.CharField(editable=False, max_length=255, verbose_name='file')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='learnt')),
                ('member', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='shown by')),
                ('organization', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, to='organizations.organization')),
                ('tour', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='competence', to='tours.tour', verbose_name='tour')),
                ('machine', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='competences', to='shadow.machine', verbose_name='machine')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='competences', to='shadow.observationsession', verbose_name='session')),
            ],
            options={
                'verbose_name': 'competence',
                'verbose_name_plural': 'competences',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ObservedEvent',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=organizations.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('sequence', models.BigIntegerField(verbose_name='number')),
                ('kind', models.CharField(max_length=10, verbose_name='kind')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('target_keys', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=32), default=list, editable=False, size=None)),
                ('payload', models.JSONField(verbose_name='content')),
                ('received_at', models.DateTimeField(auto_now_add=True, verbose_name='received')),
                ('organization', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, to='organizations.organization')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='shadow.observationsession', verbose_name='session')),
            ],
            options={
                'verbose_name': 'observed event',
                'verbose_name_plural': 'observed events',
                'ordering': ['session', 'sequence'],
            },
        ),
        migrations.CreateModel(
            name='UnderstoodStep',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=organizations.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('recording', models.PositiveIntegerField(editable=False)),
                ('index', models.PositiveIntegerField(null=True, verbose_name='number')),
                ('kind', models.CharField(max_length=10, verbose_name='kind')),
                ('intent', models.CharField(max_length=300, verbose_name='intent')),
                ('confidence', models.DecimalField(decimal_places=3, default=1, max_digits=4, verbose_name='confidence')),
                ('state', models.CharField(choices=[('proposed', 'Proposed'), ('validated', 'Validated'), ('corrected', 'Corrected'), ('removed', 'Removed')], default='proposed', max_length=10, verbose_name='state')),
                ('events', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None, verbose_name='events')),
                ('data', models.JSONField(default=dict, verbose_name='content')),
                ('organization', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, to='organizations.organization')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='shadow.observationsession', verbose_name='session')),
            ],
            options={
                'verbose_name': 'understood step',
                'verbose_name_plural': 'understood steps',
                'ordering': ['session', 'recording', 'index'],
            },
        ),
        migrations.AddConstraint(
            model_name='machine',
            constraint=models.UniqueConstraint(fields=('organization', 'machine_id'), name='one_machine_per_id'),
        ),
        migrations.AddIndex(
            model_name='observationsession',
            index=models.Index(fields=['organization', '-last_event_at'], name='session_by_activity'),
        ),
        migrations.AddConstraint(
            model_name='observationsession',
            constraint=models.UniqueConstraint(fields=('organization', 'session_id'), name='one_observed_session_per_id'),
        ),
        migrations.AddConstraint(
            model_name='observationsession',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['active', 'recording', 'stopped', 'built', 'cancelled'])), name='observed_session_status_known'),
        ),
        migrations.AddConstraint(
            model_name='competence',
            constraint=models.UniqueConstraint(fields=('organization', 'digest'), name='one_competence_per_workflow'),
        ),
        migrations.AddConstraint(
            model_name='competence',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['candidate', 'approved'])), name='competence_status_known'),
        ),
        migrations.AddIndex(
            model_name='observedevent',
            index=models.Index(fields=['organization', 'received_at'], name='observed_by_age'),
        ),
        migrations.AddConstraint(
            model_name='observedevent',
            constraint=models.UniqueConstraint(fields=('session', 'sequence'), name='one_event_per_number'),
        ),
        migrations.AddConstraint(
            model_name='understoodstep',
            constraint=models.UniqueConstraint(fields=('session', 'recording', 'index'), name='one_step_per_place'),
        ),
        migrations.AddConstraint(
            model_name='understoodstep',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['proposed', 'validated', 'corrected', 'removed'])), name='understood_step_state_known'),
        ),
        migrations.AddConstraint(
            model_name='understoodstep',
            constraint=models.CheckConstraint(condition=models.Q(('index__isnull', True), models.Q(('state', 'removed'), _negated=True), _connector='XOR'), name='only_removed_steps_have_no_place'),
        ),
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=organizations.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=64)),
                ('data', models.JSONField(default=dict)),
                ('spoken_at', models.DateTimeField(auto_now=True, verbose_name='last spoken')),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='member')),
                ('organization', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.CASCADE, to='organizations.organization')),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
                'ordering': ['-spoken_at'],
                'constraints': [models.UniqueConstraint(fields=('organization', 'member', 'key'), name='one_conversation_per_member_and_key')],
            },
        ),
    ]
