from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from receiving import apply, is_signed

settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="test",
    # As startproject has it: it gives every answer the length of its body, also to a 204.
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
)


@csrf_exempt
def hooks(request):
    if not is_signed(request.headers, request.body):
        return JsonResponse({"message": "Bad signature."}, status=401)
    apply(request.headers["webhook-id"])
    return JsonResponse({"detail": "ok"}, status=204)


urlpatterns = [path("hooks", hooks)]
application = get_wsgi_application()
